import { createHash, timingSafeEqual } from 'crypto';

/** Digests are of equal length, so the time of the comparison reveals neither the secret nor its length. */
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** True if the given value is the secret. An empty secret matches nothing. */
export function isSecret(given: unknown, secret: string): boolean {
	const isSame = timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(secret));
	return isSame && typeof given === 'string' && secret !== '';
}

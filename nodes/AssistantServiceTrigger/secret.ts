import { createHash, timingSafeEqual } from 'crypto';

/** Digests have one length, so that the time of the comparison tells nothing, not even a length. */
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** True if the given value is the secret. An empty secret is known to nobody. */
export function isSecret(given: unknown, secret: string): boolean {
	const isSame = timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(secret));
	return isSame && typeof given === 'string' && secret !== '';
}

import { createHash, timingSafeEqual } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { toPlainText } from '../shared/values';

/** Digests are of equal length, so the time of the comparison reveals neither the secret nor its length. */
const digest = (value: string): Buffer => createHash('sha256').update(value).digest();

/** True if the given value is the secret. An empty secret matches nothing. */
export function isSecret(given: unknown, secret: string): boolean {
	const isSame = timingSafeEqual(digest(typeof given === 'string' ? given : ''), digest(secret));
	return isSame && typeof given === 'string' && secret !== '';
}

/**
 * True if one of the given values is the secret of the credential or, while it is being changed, the previous one. Without a
 * secret nothing matches, nor does a previous one that is not a text. Every pair is compared, whatever the others gave.
 */
export function isKnown(
	given: readonly unknown[],
	{ webhookSecret, previousWebhookSecret }: ICredentialDataDecryptedObject,
): boolean {
	const secret = toPlainText(webhookSecret);
	const isText = secret !== '' && typeof previousWebhookSecret === 'string';
	const pairs = [secret, isText ? toPlainText(previousWebhookSecret) : ''].flatMap((known) =>
		given.map((value) => isSecret(value, known)),
	);
	return pairs.includes(true);
}

/** The longest URL that is looked at, in characters: reading a host in other letters than ASCII takes quadratic time. */
export const MAX_URL_LENGTH = 4_096;

/** True if the text is an absolute URL of http or https, of at most {@link MAX_URL_LENGTH} characters. */
export function isWebAddress(value: string): boolean {
	return value.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(value) && URL.canParse(value);
}

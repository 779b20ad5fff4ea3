/** The phone number that a request names. */
export const recipientOf = ({ body }: { body: unknown }): string | undefined =>
	typeof body === 'object' &&
	body !== null &&
	'toNumber' in body &&
	typeof body.toNumber === 'string'
		? body.toNumber
		: undefined;

/** A phone number without its plus: with and without it, it is the same customer. */
export const digitsOf = (phoneNumber: string): string => phoneNumber.replace('+', '');

import { z } from 'zod';

/** Own choice: a required text may not be empty. */
export const text = z.string().min(1);
export const uuid = z.string().uuid();

/** Own choice: S 4 shows no phone-number format; formatting that was not cleaned away is refused. */
export const phoneNumber = z.string().regex(/^\+?[0-9]{6,15}$/, 'not a phone number');

/** S 2.2: customField1 to customField{count}. */
const customFields = (count: number) =>
	z
		.object(
			Object.fromEntries(
				Array.from({ length: count }, (_, index) => [
					`customField${index + 1}`,
					z.string().optional(),
				]),
			),
		)
		.strict()
		.optional();

export const attributes8 = customFields(8);
export const attributes3 = customFields(3);

/** Own choice: S 2.2 also names customField1 to 3 for msgapp continue, but then says free-form keys. */
export const freeAttributes = z.record(z.unknown()).optional();

export const noBody = z.undefined({ invalid_type_error: 'takes no body' });

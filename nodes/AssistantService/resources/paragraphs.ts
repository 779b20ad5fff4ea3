import { z } from 'zod';

import { isFilled, PARSED_JSON } from '../../shared/declaration/valueRule';
import { json, listOf, textOrEmpty, type ValueSchema } from '../../shared/declaration/schemas';

/** Makes paragraphs of texts, as the service takes them (S 4.11); empty ones do not count. */
const toParagraphs = (texts: string[]) =>
	texts.filter((data) => data.trim() !== '').map((data) => ({ value: { data } }));

/** @param expression the texts as an expression */
const atLeastOne = (texts: ValueSchema<string[]>, expression: string) => ({
	sentAs: 'paragraphs',
	schema: texts
		.transform(toParagraphs)
		.refine((paragraphs) => paragraphs.length > 0, 'expected at least one paragraph with text'),
	expression: `${expression}.filter((data) => ${isFilled('data')}).map((data) => ({ value: { data } }))`,
});

/** The rows of `paragraphs.values`. */
export const paragraphRows = atLeastOne(
	z
		.object(
			{ values: listOf(z.object({ text: textOrEmpty }), 'expected rows of text').default([]) },
			{ message: 'expected rows of text' },
		)
		.transform(({ values }) => values.map(({ text }) => text)),
	'$value.values.map((row) => row.text)',
);

/** Lines of blanks and what prints nothing (`DI`), with the line break before them. */
const BLANK_LINES = /(?:^|\n|\r\n|\r(?!\n))(?:[\t\v\f\p{Z}\p{DI}]*(?:\n|\r\n|\r(?!\n)|$))+/u;

export const paragraphsOfText = atLeastOne(
	textOrEmpty.transform((value) => value.split(BLANK_LINES).map((part) => part.trim())),
	`$value.split(${String(BLANK_LINES)}).map((part) => part.trim())`,
);

/** An array of texts or of objects as the service takes them (S 4.11). */
export const paragraphsOfJson = atLeastOne(
	json(
		listOf(
			z.union(
				[
					z.string(),
					z.object({ value: z.object({ data: z.string() }) }).transform(({ value }) => value.data),
				],
				{ errorMap: () => ({ message: 'expected a text or { "value": { "data": "..." } }' }) },
			),
			'expected a JSON array of texts',
		),
	),
	`${PARSED_JSON}.map((entry) => entry.value?.data ?? entry)`,
);

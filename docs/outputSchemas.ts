import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { menu } from '../nodes/AssistantService/resources';
import { readAnswer } from '../nodes/shared/answer/answer';
import { simplifiedOutput } from '../nodes/shared/output/outputItems';
import { heldBackOutput } from '../nodes/shared/output/heldBackItem';
import type { HeldBack, HoldReason } from '../nodes/shared/rules/heldBack';
import { isObject } from '../nodes/shared/values';
import { rowOf } from '../test/operations';
import { operationOf, planOf, valuesOf } from '../test/shared/samples';

type JsonType = 'array' | 'boolean' | 'integer' | 'null' | 'number' | 'object' | 'string';

/** What n8n's editor offers for mapping before the node has run, in the form of n8n's own nodes. */
export interface OutputSchema {
	readonly type: 'object';
	readonly properties: Readonly<Record<string, PropertySchema>>;
	/** Of this file, not of the node. */
	readonly version: number;
}

interface PropertySchema {
	readonly type: JsonType | JsonType[];
	readonly enum?: readonly (string | null)[];
}

/** Why an item can be held back, in the order in which the rules are asked. */
const REASONS = Object.keys({
	...{ doNotContact: 1, reached: 1, resultOpen: 1, attemptsUsed: 1, callBack: 1 },
	...{ contactedRecently: 1, contactedOften: 1, outsideHours: 1, runFull: 1 },
} satisfies Record<HoldReason, 1>);

/** Where n8n looks for the schemas of a node: beside its file. */
const SCHEMAS = path.join(__dirname, '..', 'nodes', 'AssistantService', '__schema__');

/** Every version of the node as the editor asks for it; n8n does not look in the folder of another one. */
const VERSIONS = ['1.0.0'];

/** The files with the schemas, one for each operation in each version of the node. */
export function schemaFiles(): { file: string; content: string }[] {
	return VERSIONS.flatMap((version) =>
		menu.resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value }) => ({
				file: path.join(SCHEMAS, `v${version}`, resource, `${value}.json`),
				content: `${JSON.stringify(outputSchema(`${resource}.${value}`), null, '\t')}\n`,
			})),
		),
	);
}

/**
 * The schema of the output of an operation, e.g. "call.place", with its default options and a reference. What objects and
 * lists hold is the service's own and not described.
 *
 * @throws Error if test/operations has no row for the operation
 */
export function outputSchema(operation: string): OutputSchema {
	const items = possibleItems(operation);
	const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
	const properties = names.map((name): [string, PropertySchema] => {
		const type = typeOf(items, name);
		return [name, name === 'reason' ? { type, enum: [...REASONS, null] } : { type }];
	});
	return { type: 'object', properties: Object.fromEntries(properties), version: 1 };
}

/**
 * The items that an operation makes of its example answer, and of each good answer that differs from it in one part; before
 * them those of who is held back, so that the columns of the person come first.
 */
function possibleItems(path: string): IDataObject[] {
	const operation = operationOf(path);
	const row = rowOf(path);
	const { properties, person } = planOf(path, {
		...valuesOf({ ...row, name: path }),
		options: { reference: 'crm-4711' },
	});
	const good = [row.answer, ...differing(row.answer)].flatMap((body) => {
		const answer = readAnswer(operation, { status: 200, body });
		return answer.kind === 'accepted' ? [answer.body] : [];
	});
	const accepted = good.flatMap((body) =>
		simplifiedOutput(operation, body, { properties, via: 'main' }, person),
	);
	const ended = operation.waits ? accepted.map((json) => ({ ...json, ...END })) : [];
	const all = [...accepted, ...ended];
	return person ? [...HELD_BACK.map((one) => heldBackOutput(one, person)), ...all] : all;
}

/** What an item gains when its call has ended. */
export const END = {
	...{
		ended: true,
		reached: true,
		endedAt: '2026-11-23T09:05:00.000Z',
		callStartTime: '2026-11-23T09:00:00Z',
	},
	...{ summary: 'The customer booked an appointment.', variables: { day: 'Monday' } },
};

const HELD_BACK: readonly HeldBack[] = [
	{ reason: 'outsideHours', notBefore: '2026-11-23T09:00:00+01:00' },
	{ reason: 'doNotContact', notBefore: null },
];

/** Where the service gives an identifier within a text, it may also give none. */
const OTHER_TEXTS = ['Done', 'Done, id: a1'];

/** A value of an answer in all the ways in which one part of it is absent or another text. */
function differing(value: unknown): unknown[] {
	if (typeof value === 'string') return OTHER_TEXTS;
	if (Array.isArray(value)) {
		const entries: readonly unknown[] = value;
		return entries.flatMap((entry, index) =>
			differing(entry).map((other) => entries.with(index, other)),
		);
	}
	if (!isObject(value)) return [];
	return Object.entries(value).flatMap(([name, part]) =>
		[undefined, ...differing(part)].map((other) => ({ ...value, [name]: other })),
	);
}

/** The types of a property in these items; `null` comes last, because n8n's editor shows the first one. */
function typeOf(items: readonly IDataObject[], name: string): JsonType | JsonType[] {
	const types = new Set(items.filter((item) => name in item).map((item) => jsonTypeOf(item[name])));
	const others = [...types].filter((type) => type !== 'null');
	const all = types.has('null') ? [...others, 'null' as const] : others;
	const [only] = all;
	return only !== undefined && all.length === 1 ? only : all;
}

function jsonTypeOf(value: unknown): JsonType {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
	if (typeof value === 'string') return 'string';
	return typeof value === 'boolean' ? 'boolean' : 'object';
}

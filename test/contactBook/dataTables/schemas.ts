/** The part of JSON Schema that n8n's specification uses for Data Tables. */
export interface Schema {
	readonly type: 'object' | 'array' | 'string' | 'boolean' | 'integer';
	readonly required?: readonly string[];
	readonly properties?: Readonly<Record<string, Schema | true>>;
	readonly items?: Schema;
	readonly minItems?: number;
	readonly minLength?: number;
	readonly maxLength?: number;
	readonly pattern?: string;
	readonly enum?: readonly string[];
}

const columnName: Schema = {
	type: 'string',
	minLength: 1,
	maxLength: 63,
	pattern: '^[a-zA-Z][a-zA-Z0-9_]*$',
};
const CONDITIONS = ['eq', 'neq', 'like', 'ilike', 'gt', 'gte', 'lt', 'lte'];
const TYPES = ['string', 'number', 'boolean', 'date'];

/** The bodies that n8n's specification of 2.41 wants, by what is asked for. */
export const BODIES = {
	createTable: {
		type: 'object',
		required: ['name', 'columns'],
		properties: {
			name: { type: 'string', minLength: 1, maxLength: 128 },
			columns: {
				type: 'array',
				items: {
					type: 'object',
					required: ['name', 'type'],
					properties: {
						name: { type: 'string', minLength: 1 },
						type: { type: 'string', enum: [...TYPES, 'json'] },
					},
				},
			},
		},
	},
	createColumn: {
		type: 'object',
		required: ['name', 'type'],
		properties: { name: columnName, type: { type: 'string', enum: TYPES } },
	},
	insertRows: {
		type: 'object',
		required: ['data'],
		properties: {
			data: { type: 'array', minItems: 1, items: { type: 'object' } },
			returnType: { type: 'string', enum: ['count', 'id', 'all'] },
		},
	},
	updateRows: {
		type: 'object',
		required: ['filter', 'data'],
		properties: {
			filter: {
				type: 'object',
				required: ['filters'],
				properties: {
					type: { type: 'string', enum: ['and', 'or'] },
					filters: {
						type: 'array',
						minItems: 1,
						items: {
							type: 'object',
							required: ['columnName', 'condition', 'value'],
							properties: {
								columnName: { type: 'string' },
								condition: { type: 'string', enum: CONDITIONS },
								value: true,
							},
						},
					},
				},
			},
			data: { type: 'object' },
			returnData: { type: 'boolean' },
			dryRun: { type: 'boolean' },
		},
	},
} as const satisfies Record<string, Schema>;

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first thing that is wrong with a value, in the words of n8n's validator. */
export function problemOf(schema: Schema, value: unknown, at: string): string | undefined {
	switch (schema.type) {
		case 'object':
			return isObject(value) ? problemOfObject(schema, value, at) : `${at} must be object`;
		case 'array':
			return Array.isArray(value) ? problemOfArray(schema, value, at) : `${at} must be array`;
		case 'string':
			return typeof value === 'string' ? problemOfText(schema, value, at) : `${at} must be string`;
		case 'boolean':
			return typeof value === 'boolean' ? undefined : `${at} must be boolean`;
		case 'integer':
			return Number.isInteger(value) ? undefined : `${at} must be integer`;
	}
}

function problemOfObject(
	{ required = [], properties = {} }: Schema,
	value: Record<string, unknown>,
	at: string,
): string | undefined {
	const missing = required.find((name) => !(name in value));
	if (missing !== undefined) return `${at} must have required property '${missing}'`;
	for (const [name, schema] of Object.entries(properties)) {
		if (schema === true || !(name in value)) continue;
		const problem = problemOf(schema, value[name], `${at}/${name}`);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function problemOfArray(
	{ minItems = 0, items }: Schema,
	value: readonly unknown[],
	at: string,
): string | undefined {
	if (value.length < minItems) return `${at} must NOT have fewer than ${minItems} items`;
	for (const [index, item] of value.entries()) {
		const problem = items && problemOf(items, item, `${at}/${index}`);
		if (problem !== undefined) return problem;
	}
	return undefined;
}

function problemOfText(
	{ minLength = 0, maxLength = Infinity, pattern, enum: values }: Schema,
	value: string,
	at: string,
): string | undefined {
	if (values && !values.includes(value))
		return `${at} must be equal to one of the allowed values: ${values.join(', ')}`;
	if (value.length < minLength) return `${at} must NOT have fewer than ${minLength} characters`;
	if (value.length > maxLength) return `${at} must NOT have more than ${maxLength} characters`;
	if (pattern !== undefined && !new RegExp(pattern).test(value))
		return `${at} must match pattern "${pattern}"`;
	return undefined;
}

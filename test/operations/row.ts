import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { TO_NUMBER } from '../simulator/seed';

/** Stands in a row for every id that the service makes: a real answer has another UUID in its place. */
export const NEW_ID = '0f1e2d3c-4b5a-4968-8776-655443322110';

/** With what an item for one person begins that was not held back. */
export function columnsOf(result: string, toNumber = TO_NUMBER) {
	return { toNumber, result, reason: null };
}

/** Something that the user enters, what it makes of the request, and what comes out. */
interface Entered {
	/** The parameters as n8n saves them; those that are left out have their defaults. */
	readonly parameters: INodeParameters;
	/** The properties of the body; `undefined` if the request has none. */
	readonly body?: IDataObject;
	/** The body of the service's answer (S 4). */
	readonly answer: IDataObject;
	/** The items that come out, with Simplify on. */
	readonly output: IDataObject[];
}

interface OperationEntry extends Entered {
	/** The section of the service's specification, e.g. "4.4". */
	readonly section: string;
	/** It reaches people or adds data, so that it must not be sent twice. */
	readonly isSentOnce?: boolean;
	/** It needs a contact book, and puts out the same without Simplify. */
	readonly waits?: boolean;
	readonly method: string;
	/** The path of the request, encoded. */
	readonly path: string;
	readonly variants?: Readonly<Record<string, Variant>>;
}

/** The operations of a resource by their names. */
export type OperationEntries = Readonly<Record<string, OperationEntry>>;

export interface OperationRow extends OperationEntry {
	readonly resource: string;
	readonly operation: string;
}

/**
 * Another way of entering the same operation, as far as it differs: parameters and properties of the body are added to
 * those of the row, and `undefined` takes one away.
 */
export interface Variant extends Partial<Entered> {
	readonly path?: string;
}

/** A row, or one of its variants, with all that it takes from the row. */
export interface OperationCase extends OperationRow {
	/** "call.place", or "call.place: a formatted number" */
	readonly name: string;
}

export const pathOf = ({ resource, operation }: Pick<OperationRow, 'resource' | 'operation'>) =>
	`${resource}.${operation}`;

export function casesOf(row: OperationRow): OperationCase[] {
	const variants = Object.entries(row.variants ?? {}).map(([name, variant]) => ({
		...row,
		...variant,
		name: `${pathOf(row)}: ${name}`,
		parameters: { ...row.parameters, ...variant.parameters },
		body: row.body && { ...row.body, ...variant.body },
	}));
	return [{ ...row, name: pathOf(row) }, ...variants];
}

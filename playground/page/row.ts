import { isObject } from '../../nodes/shared/values';
import type { ActionName } from './actions';

/** A button of a row: it does something, opens a form, or copies, in each case with its values. */
export interface Button {
	text: string;
	/** What is read out; it names the row. */
	label: string;
	tone?: 'primary';
	does?: ActionName;
	opens?: 'end' | 'customer';
	copies?: string;
	values: Record<string, string>;
}

/** A row of any list of the page. Only `id` and `title` are always shown. */
export interface Row {
	/** Tells the row from the others of its list. */
	id: string;
	title: string;
	badge?: string;
	/** The colour of the badge. */
	tone?: 'good' | 'bad' | 'busy' | 'wait';
	text?: string;
	link?: string;
	href?: string;
	code?: string;
	/** An ISO date. */
	at?: string;
	quiet?: string;
	actions?: (Button & { id: string })[];
	/** What can be unfolded. */
	parts?: { id: string; title: string; text: string }[];
	rows?: Row[];
}

/** So many rows of a list are shown; a burst of thousands stays readable. */
export const ROWS = 200;
const MAX_TEXT = 4000;

export const cut = (text: string): string =>
	text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
/** Counts: "1 call", "2 calls". */
export const plural = (count: number, singular: string, several = `${singular}s`): string =>
	`${count} ${count === 1 ? singular : several}`;
export const shownJson = (value: unknown): string =>
	isObject(value) && Object.keys(value).length > 0 ? cut(JSON.stringify(value, undefined, 2)) : '';

/** The newest ones first, each with its number as its ID. A last row counts those that are left out. */
export const newest = <T>(all: readonly T[], rowOf: (one: T, id: string) => Row): Row[] =>
	shorten(all.map((one, index) => () => rowOf(one, String(index))).reverse());

/** The first rows. A last one counts the others. */
export const shorten = (rows: readonly (() => Row)[]): Row[] => [
	...rows.slice(0, ROWS).map((row) => row()),
	...(rows.length > ROWS ? [{ id: 'others', title: `and ${rows.length - ROWS} others` }] : []),
];

/** Those that hold something. */
export const parts = (texts: Record<string, string>): Row['parts'] =>
	Object.entries(texts).flatMap(([title, text]) => (text === '' ? [] : { id: title, title, text }));

export const buttons = (...all: (Button | false)[]): Row['actions'] =>
	all.flatMap((button) => (button === false ? [] : { id: button.text, ...button }));

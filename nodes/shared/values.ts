import type { IDataObject } from 'n8n-workflow';

/** A JSON object or an array. */
export type Container = Record<string, unknown> | unknown[];

/** True for a JSON object and for an array, not for `null`. */
export const isContainer = (value: unknown): value is Container =>
	typeof value === 'object' && value !== null;

/** True for a JSON object, not for an array or `null`. */
export const isObject = (value: unknown): value is IDataObject =>
	isContainer(value) && !Array.isArray(value);

/** Text or a number as text without white space around it; anything else is the empty text. */
export const toPlainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

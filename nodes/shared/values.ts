import type { IDataObject } from 'n8n-workflow';

/** True for a JSON object, not for an array or `null`. */
export const isObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text or a number as text without white space around it; anything else is the empty text. */
export const toPlainText = (value: unknown): string =>
	typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { helperResponse } from '../request/transport';
import { bookOf } from './book';
import { authenticateBookRequest, readBookCredential } from './bookCredential';
import { toApiAnswer, unreachable } from './bookTransport';
import { checkIsMeant, openTable } from './openTable';
import { toBookProblem } from './problem';
import { rowsWith, TableApi, type ApiSend } from './tableApi';

/** How long n8n may take for one request, in milliseconds: somebody looks at the dialog. */
const TIMEOUT = 15_000;

/** No table has this ID, and no row the other: n8n looks at the scopes of a key before it looks for a table. */
const NO_TABLE = { id: '0000000000000000', namesItems: true };
const NO_ROW = rowsWith('id', [0]);

/**
 * Tells whether the contact book can be used: the address, the key, the table with its columns (which is made if there is
 * none), and each scope, by requests that read and change no row. Never rejects.
 */
export async function testContactBook(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const { helpers } = this;
	try {
		const credential = readBookCredential(data);
		const { api, apiKey, table } = credential;
		const send: ApiSend = async ({ method, path, body }) => {
			try {
				const request = {
					method,
					url: `${api}${path}`,
					json: true,
					simple: false,
					resolveWithFullResponse: true,
					timeout: TIMEOUT,
					...(body && { body: { ...body } }),
				};
				const raw: unknown = await helpers.request(authenticateBookRequest(data, request));
				const { status, body: answer } = helperResponse.parse(raw);
				return toApiAnswer(status, answer, apiKey);
			} catch (error) {
				throw unreachable(error);
			}
		};
		const rows = new TableApi(send, NO_TABLE);
		await unlessNotFound(rows.some(NO_ROW, 'id:asc', 0, 1));
		await unlessNotFound(rows.insert([{}]));
		await unlessNotFound(rows.update(NO_ROW, { outcome: 'notMade' }));
		const { usedTables } = bookOf(credential);
		const opened = await openTable(send, table, 'always', usedTables);
		const found = opened ?? NO_TABLE;
		const book = new TableApi(send, found);
		// Refused also if the tables are full.
		await book.update(NO_ROW, { outcome: 'notMade' });
		await checkIsMeant(send, table, usedTables, found);
		const what =
			opened?.isNew === false
				? `the Data Table "${table}" is the contact book.`
				: `a new, empty Data Table "${table}" was made as contact book. If there was one before, enter its name or ID.`;
		return { status: 'OK', message: `Connected: ${what}` };
	} catch (error) {
		const { message, hint } = toBookProblem(error);
		return { status: 'Error', message: `${message}. ${hint}` };
	}
}

async function unlessNotFound(work: Promise<unknown>): Promise<void> {
	await work.catch((error: unknown) => {
		const problem = toBookProblem(error);
		if (problem.status !== 404) throw problem;
	});
}

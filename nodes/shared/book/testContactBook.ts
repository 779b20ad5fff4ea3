import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { helperResponse } from '../request/transport';
import { authenticateBookRequest, readBookCredential } from './bookCredential';
import { toApiAnswer, unreachable } from './bookTransport';
import { openTable } from './openTable';
import { toBookProblem } from './problem';
import { rowsWith, TableApi, type ApiSend } from './tableApi';

/** How long n8n may take for one request, in milliseconds: somebody looks at the dialog. */
const TIMEOUT = 15_000;

/** No row has this ID. */
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
		const { api, apiKey, table } = readBookCredential(data);
		const send: ApiSend = async ({ method, path, query, body }) => {
			try {
				const request = {
					method,
					url: `${api}${path}`,
					json: true,
					simple: false,
					resolveWithFullResponse: true,
					timeout: TIMEOUT,
					...(query && { qs: { ...query } }),
					...(body && { body: { ...body } }),
				};
				const raw: unknown = await helpers.request(authenticateBookRequest(data, request));
				const { status, body: answer } = helperResponse.parse(raw);
				return toApiAnswer(status, answer, apiKey);
			} catch (error) {
				throw unreachable(error);
			}
		};
		const rows = new TableApi(send, await openTable(send, table));
		await rows.some(NO_ROW, 'id:asc', 0, 1);
		await rows.insert([]);
		await rows.update(NO_ROW, { outcome: 'notMade' });
		return { status: 'OK', message: `Connected: the Data Table "${table}" is the contact book.` };
	} catch (error) {
		const { message, hint } = toBookProblem(error);
		return { status: 'Error', message: `${message}. ${hint}` };
	}
}

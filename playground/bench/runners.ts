import type { INode, INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { node } from '../workflows';
import { BENCH_PACKAGE } from './package';
import type { Rig } from './rig';

const NAMES = {
	node: 'this node',
	nodeBook: 'this node, Not Again Within, contact book',
	nodeList: 'this node, a list, contact book',
	httpRequest: 'HTTP Request',
};

/** Who does the work. */
export type RunnerId = keyof typeof NAMES;

export const nameOf = (runner: RunnerId): string => NAMES[runner];

export const LIST = 'Bench';

const RULES: Readonly<Record<Exclude<RunnerId, 'httpRequest'>, INodeParameters>> = {
	node: {},
	nodeBook: { notAgainWithin: 24 },
	nodeList: { list: LIST, attempts: 3, notAgainWithin: 24, noResultAfter: 24 },
};

/** Who calls. */
export const SENDER = { assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER };

/** The three texts of a call; an expression begins with "=". */
type CallTexts = Record<'assistantId' | 'fromNumber' | 'toNumber', string>;

/** The parameters of n8n's own HTTP Request for the same call. */
function requestOf(
	{ assistantId, ...numbers }: CallTexts,
	{ baseUrl, workspaceId }: Rig['simulator'],
): INodeParameters {
	// Within a longer text only the braces count.
	const url = `${baseUrl}/v1/voice/placeoutboundcall/${workspaceId}/${assistantId.replace(/^=/, '')}`;
	return {
		method: 'POST',
		url: assistantId.startsWith('=') ? `=${url}` : url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'assistantServiceApi',
		sendBody: true,
		contentType: 'json',
		specifyBody: 'keypair',
		bodyParameters: {
			parameters: Object.entries(numbers).map(([name, value]) => ({ name, value })),
		},
		options: {},
	};
}

/**
 * The node "Runner" of a workflow, which calls the number of this expression.
 *
 * @param sender the texts of who calls, fixed unless said otherwise
 */
export function runnerNode(
	runner: RunnerId,
	{ simulator, credentials }: Rig,
	toNumber: string,
	sender = SENDER,
): INode {
	const texts = { ...sender, toNumber };
	const own = { credentials: { ...credentials } };
	if (runner === 'httpRequest') {
		const parameters = requestOf(texts, simulator);
		return node('n8n-nodes-base.httpRequest', 'Runner', parameters, { typeVersion: 4.5, ...own });
	}
	const contactRules = RULES[runner];
	const parameters = { resource: 'call', operation: 'place', ...texts, contactRules };
	return node('n8n-nodes-assistant-service.assistantService', 'Runner', parameters, own);
}

/** The node of the benchmark that measures, see BenchClock. */
export const clock = (step?: 'begin' | 'seen' | 'end'): INode =>
	node(`${BENCH_PACKAGE}.benchClock`, step ?? 'Clock', step === undefined ? {} : { step });

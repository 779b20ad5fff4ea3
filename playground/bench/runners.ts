import type { INode, INodeParameters } from 'n8n-workflow';
import { node } from '../workflows';
import { BENCH_PACKAGE } from './package';
import type { Rig } from './rounds';
import type { Service } from './service';

/** Who does the work. */
export type RunnerId = 'node' | 'nodeWithList' | 'nodeBook' | 'httpRequest';

/** The three texts of a call; an expression begins with "=". */
interface CallTexts {
	assistantId: string;
	fromNumber: string;
	toNumber: string;
}

interface Runner {
	name: string;
	type: string;
	parameters: (texts: CallTexts, service: Service) => INodeParameters;
}

const NODE = 'n8n-nodes-assistant-service.assistantService';
const HTTP_REQUEST = 'n8n-nodes-base.httpRequest';
const HTTP_REQUEST_VERSION = 4.5;

/** How many numbers the list of Do Not Contact has. Nobody of them is called. */
export const LISTED_NUMBERS = 100_000;

const place = (texts: CallTexts): INodeParameters => ({
	resource: 'call',
	operation: 'place',
	...texts,
});

const httpRequest: Runner = {
	name: 'HTTP Request',
	type: HTTP_REQUEST,
	parameters({ assistantId, fromNumber, toNumber }, { baseUrl, workspaceId }) {
		// Within a longer text only the braces count.
		const url = `${baseUrl}/v1/voice/placeoutboundcall/${workspaceId}/${assistantId.replace(/^=/, '')}`;
		const parameters = Object.entries({ fromNumber, toNumber });
		return {
			method: 'POST',
			url: assistantId.startsWith('=') ? `=${url}` : url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'assistantServiceApi',
			sendBody: true,
			contentType: 'json',
			specifyBody: 'keypair',
			bodyParameters: { parameters: parameters.map(([name, value]) => ({ name, value })) },
			options: {},
		};
	},
};

export const RUNNERS: Record<RunnerId, Runner> = {
	node: { name: 'this node', type: NODE, parameters: place },
	nodeWithList: {
		name: 'this node, Do Not Contact',
		type: NODE,
		parameters: (texts) => ({
			...place(texts),
			contactRules: { doNotContact: "={{ $('Numbers').first().json.numbers }}" },
		}),
	},
	nodeBook: {
		name: 'this node, Not Again Within, contact book',
		type: NODE,
		parameters: (texts) => ({
			...place(texts),
			contactRules: { notAgainWithin: 24 },
		}),
	},
	httpRequest,
};

export const nameOf = (runner: RunnerId): string => RUNNERS[runner].name;

/**
 * The node "Runner" of a workflow.
 *
 * @param fields how many fields of the call are expressions, the phone number first; the others are fixed
 * @param onError what it does when an item fails
 */
export function runnerNode(
	runner: RunnerId,
	fields: 1 | 3,
	{ service, credentials }: Rig,
	toNumber: string,
	onError: Partial<INode> = {},
): INode {
	const { type, parameters } = RUNNERS[runner];
	const texts =
		fields === 1
			? { ...service.sender, toNumber }
			: { assistantId: '={{ $json.assistantId }}', fromNumber: '={{ $json.from }}', toNumber };
	return node(type, 'Runner', parameters(texts, service), {
		typeVersion: type === HTTP_REQUEST ? HTTP_REQUEST_VERSION : 1,
		credentials: { ...credentials },
		...onError,
	});
}

/** Joins the numbers of a list to a text in one item, beside what the webhook was asked for. */
export const numbersNode = (): INode =>
	node(
		'n8n-nodes-base.set',
		'Numbers',
		{
			mode: 'raw',
			includeOtherFields: true,
			jsonOutput: `={{ ({ numbers: Array.from({ length: ${LISTED_NUMBERS} }, (_, index) => '+4917' + String(index).padStart(8, '0')).join(',') }) }}`,
			options: {},
		},
		{ typeVersion: 3.4 },
	);

/** The node of the benchmark that measures, see BenchClock. */
export const clock = (step?: 'contacts' | 'begin' | 'seen' | 'end'): INode =>
	node(`${BENCH_PACKAGE}.benchClock`, step ?? 'Clock', step === undefined ? {} : { step });

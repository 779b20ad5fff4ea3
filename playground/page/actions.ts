import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HOUR } from '../../nodes/shared/time/clock';
import type { Simulator, WebhookDelivery } from '../../test/simulator/simulator';
import { WEBHOOK_HEADER } from '../setup';
import type { N8nBeside } from './beside';
import { ACCEPTED, meaningOf, shownUrl } from './deliveries';
import { describeFault, FAULT_NAMES, FAULTS } from './faults';

/** A target that has not answered by then is not waited for. */
const ANSWERED_WITHIN_MS = 10_000;

/** Thrown where the page says no; the message is for the person who looks at it. */
export class ActionRefused extends Error {}

interface Action {
	/** Does it, and gives a sentence on what was done. */
	run(simulator: Simulator, fields: unknown, n8n: N8nBeside): Promise<string>;
}

/** An action with the fields of its form, which come as text. */
function action<Fields>(
	fields: z.ZodType<Fields, z.ZodTypeDef, unknown>,
	run: (simulator: Simulator, fields: Fields, n8n: N8nBeside) => Promise<string> | string,
): Action {
	return {
		async run(simulator, raw, n8n) {
			const { success, data, error } = fields.safeParse(raw);
			if (!success) throw new ActionRefused(error.issues.map(({ message }) => message).join(' '));
			return await run(simulator, data, n8n);
		},
	};
}

const number = (label: string, min: number, max: number) => {
	const message = `${label}: enter a number from ${min} to ${max}.`;
	return z
		.string()
		.trim()
		.regex(/^\d+(\.\d+)?$/, message)
		.transform(Number)
		.refine((value) => value >= min && value <= max, message);
};

const OWN_PROPERTIES = ['callId', 'callStartTime', 'summary', 'transcript'];

/** "name: value" on each line. */
const variables = z.string().transform((text, context): Record<string, string> => {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	const pairs = lines.map((line) => /^\s*([^:]*?)\s*:\s*(.*?)\s*$/.exec(line)?.slice(1) ?? ['']);
	if (pairs.some(([name = '']) => name === '' || OWN_PROPERTIES.includes(name))) {
		const message = `Variables: write "name: value" on each line; the names ${OWN_PROPERTIES.join(', ')} are taken.`;
		context.addIssue({ code: z.ZodIssueCode.custom, message });
		return z.NEVER;
	}
	return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
});

const phoneNumber = z
	.string()
	.trim()
	.regex(/^\+?\d{6,15}$/, 'Number: enter digits, with or without +.');

const orNothing = <Value>(field: z.ZodType<Value, z.ZodTypeDef, unknown>) =>
	z.union([z.literal('').transform(() => undefined), field]);

const webUrl = z
	.string()
	.trim()
	.refine(
		(text) => /^https?:\/\//.test(text) && URL.canParse(text),
		'URL: enter an address that begins with http.',
	);

/** What the targets said, each sentence once. */
async function told(sent: Promise<WebhookDelivery[]>, n8n: N8nBeside): Promise<string> {
	const deliveries = await Promise.race([
		sent,
		sleep(ANSWERED_WITHIN_MS, undefined, { ref: false }),
	]);
	if (deliveries === undefined) return 'A URL has not answered within 10 seconds.';
	if (deliveries.length === 0) return 'The event was not sent: enter a URL under Webhooks.';
	const different = new Map(
		deliveries.map((one) => [`${one.url} ${one.status} ${one.answer}`, one]),
	);
	const sentences = Array.from(different.values(), async (delivery) =>
		sentenceOn(delivery, await n8n.workflowAt(delivery.url)),
	);
	return (await Promise.all(sentences)).join(' ');
}

/** What one target said, by the name of its workflow if there is one. */
function sentenceOn(delivery: WebhookDelivery, workflow: string | undefined): string {
	const meaning = meaningOf(delivery);
	if (workflow !== undefined && meaning === ACCEPTED) return `n8n took the event: ${workflow}.`;
	const { pathname } = new URL(shownUrl(delivery.url));
	return `${workflow ?? pathname}: ${delivery.status}. ${meaning}`;
}

export const ACTIONS = {
	endCall: action(
		z.object({ id: z.string(), summary: z.string(), transcript: z.string(), variables }),
		async (simulator, { id, variables, ...said }, n8n) => {
			const call = simulator.state().calls.find((one) => one.id === id);
			if (call === undefined || call.endedAt !== undefined) {
				throw new ActionRefused('This call is not going on any more.');
			}
			const sent = simulator.endCall(id, { ...variables, ...said });
			return `The call has ended. ${await told(sent, n8n)}`;
		},
	),
	endAllCalls: action(z.object({ id: z.string() }), async (simulator, { id }, n8n) => {
		const { waits } = await n8n.look();
		const rows = waits.find((wait) => wait.id === id)?.rows ?? [];
		const awaited = new Set(rows.map(({ contactId }) => contactId));
		const ringing = simulator.state().calls.filter((one) => awaited.has(one.id) && !one.endedAt);
		if (ringing.length === 0) throw new ActionRefused('No call of this execution rings any more.');
		const sent = Promise.all(ringing.map(async (one) => await simulator.endCall(one.id)));
		const all = sent.then((deliveries) => deliveries.flat());
		return `Calls that have ended: ${ringing.length}. ${await told(all, n8n)}`;
	}),
	sendAgain: action(z.object({ id: z.string() }), async (simulator, { id }, n8n) => {
		const event = simulator.state().calls.find((one) => one.id === id)?.event;
		if (event === undefined) throw new ActionRefused('This call has not ended.');
		return `The event was sent again. ${await told(simulator.deliverWebhook(event), n8n)}`;
	}),
	addWebhook: action(
		z.object({
			url: webUrl,
			secret: z.string().trim(),
			headerName: z
				.string()
				.trim()
				.regex(/^[\w-]*$/, 'Header Name: use letters, digits and dashes.'),
		}),
		(simulator, { url, secret, headerName }) => {
			const name = headerName || WEBHOOK_HEADER;
			const others = simulator.webhooks.filter((target) => target.url !== url);
			simulator.setWebhooks([...others, { url, headers: secret === '' ? {} : { [name]: secret } }]);
			return `Events go to this URL now, ${secret === '' ? 'without a secret' : 'with the secret'}.`;
		},
	),
	removeWebhook: action(z.object({ id: z.string() }), (simulator, { id }) => {
		simulator.setWebhooks(simulator.webhooks.filter((_, index) => String(index) !== id));
		return 'Events do not go to this URL any more.';
	}),
	customerWrites: action(
		z.object({
			toNumber: phoneNumber,
			message: z.string().trim().min(1, 'Message: enter a text.'),
		}),
		(simulator, { toNumber, message }) => {
			simulator.customerReplies(toNumber, message);
			return `${toNumber} has written. The customer window is open for 24 hours.`;
		},
	),
	moveClock: action(z.object({ hours: number('Hours', 0.1, 1000) }), (simulator, { hours }) => {
		simulator.clock.advance(hours * HOUR);
		return `It is ${hours} hours later at the service.`;
	}),
	passDay: action(z.object({}), async (_, __, n8n) => {
		await n8n.passDay();
		return 'A day has passed: every contact of the book is a day older.';
	}),
	addFault: action(
		z.object({
			fault: z.enum(FAULT_NAMES),
			seconds: number('Seconds', 0, 300),
			times: orNothing(number('Requests', 1, 10_000)),
			toNumber: orNothing(phoneNumber),
		}),
		(simulator, { fault: name, seconds, ...scope }) => {
			const fault = { ...FAULTS[name].fault(seconds), ...scope };
			simulator.addFault(fault);
			return `Switched on: ${describeFault(fault)}.`;
		},
	),
	removeFault: action(z.object({ id: z.string() }), (simulator, { id }) => {
		simulator.removeFault(Number(id));
		return 'The fault is switched off.';
	}),
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

export const isAction = (name: string): name is ActionName => Object.hasOwn(ACTIONS, name);

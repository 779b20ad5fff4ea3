import { execFileSync } from 'node:child_process';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';
import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { REFUSALS } from '../../nodes/AssistantServiceTrigger/deliveryRefusals';
import {
	NOTICE,
	STEPS,
	TEST_COMMAND,
	TEST_EVENT,
	triggerPanel,
} from '../../nodes/AssistantServiceTrigger/panel';
import { useTriggers } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const HEADER = 'x-webhook-secret';
const credential = { webhookSecret: SECRET, webhookHeader: HEADER };
const start = useTriggers();

/** The arguments of the command as a shell passes them to curl. */
const argumentsOf = (command: string): string[] =>
	execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
		.split('\0')
		.slice(0, -1);

/** Sends what the command sends. */
async function run(secret: string) {
	const given = argumentsOf(TEST_COMMAND.replace('SECRET', secret));
	const after = (flag: string): string[] =>
		given.flatMap((one, index) => (given[index - 1] === flag ? [one] : []));
	const headers = Object.fromEntries(
		after('-H').map((line): [string, string] => {
			const [name = '', value = ''] = line.split(': ');
			return [name, value];
		}),
	);
	const trigger = await start({ credential, mode: 'manual' });
	const answer = await trigger.post(after('-d')[0], { headers });
	return { given, trigger, answer };
}

test('the command of the panel starts the workflow', async () => {
	const { given, trigger, answer } = await run(SECRET);

	const { properties } = new AssistantServiceApi();
	const header = properties.find(({ name }) => name === 'webhookHeader');
	expect(header?.default).toBe(HEADER);
	expect(given.slice(0, 3)).toEqual(['-X', 'POST', 'TEST_URL']);
	expect(answer).toMatchObject({ status: 200, data: { received: true } });
	expect(trigger.executions).toEqual([[{ json: expect.objectContaining(TEST_EVENT) as unknown }]]);
});

test('with a wrong secret its sender is told what to do', async () => {
	const { trigger, answer } = await run('another');

	expect(answer.status).toBe(401);
	const { message, hint } = REFUSALS.secretWrong;
	expect(answer.data).toEqual({ error: message, hint });
	expect(trigger.executions).toEqual([]);
});

test('a short notice leads to the steps, and the steps and the command stand beside the button', () => {
	const { triggerPanel: panel, properties } = new AssistantServiceTrigger().description;
	const [notice] = properties;

	expect(panel).toBe(triggerPanel);
	expect(notice).toMatchObject({ type: 'notice', displayName: NOTICE });
	// Two lines of the panel.
	expect(NOTICE.replaceAll(/<[^>]*>/g, '').length).toBeLessThan(115);
	expect(NOTICE).toMatch(/<a href="https:[^"]+" target="_blank">/);
	expect(JSON.stringify(triggerPanel.executionsHelp)).toContain(
		JSON.stringify(TEST_COMMAND).slice(1, -1),
	);
	for (const step of STEPS) {
		expect(JSON.stringify(triggerPanel.activationHint)).toContain(step);
	}
	expect(STEPS).toHaveLength(3);
	expect(STEPS.filter((step) => step.includes('secret'))).toHaveLength(2);
});

import { execFileSync } from 'node:child_process';

import { AssistantServiceApi } from '../../credentials/AssistantServiceApi.credentials';
import { TEST_COMMAND, TEST_EVENT } from '../../nodes/AssistantServiceTrigger/panel';
import { useTriggers } from '../engine/webhook';

const SECRET = 'correct horse battery staple';
const HEADER = 'x-webhook-secret';
const JSON_TYPE = 'Content-Type: application/json';
const credential = { webhookSecret: SECRET, webhookHeader: HEADER };
const start = useTriggers();

/** The arguments of the command as a shell passes them to curl. */
const argumentsOf = (command: string): string[] =>
	execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' })
		.split('\0')
		.slice(0, -1);

test('the command of the panel starts the workflow', async () => {
	const given = argumentsOf(TEST_COMMAND.replace('SECRET', SECRET));
	const after = (flag: string): string =>
		given.find((_, index) => given[index - 1] === flag && given[index] !== JSON_TYPE) ?? '';
	const [name = '', value = ''] = after('-H').split(': ');
	const trigger = await start({ credential, mode: 'manual' });
	const headers = { 'content-type': 'application/json', [name]: value };

	const answer = await trigger.post(after('-d'), { headers });

	const { properties } = new AssistantServiceApi();
	const header = properties.find((property) => property.name === 'webhookHeader');
	expect(header?.default).toBe(HEADER);
	expect(given.slice(0, 3)).toEqual(['-X', 'POST', 'TEST_URL']);
	expect(given).toContain(JSON_TYPE);
	expect(answer).toMatchObject({ status: 200, data: { received: true } });
	expect(trigger.executions).toEqual([[{ json: expect.objectContaining(TEST_EVENT) as unknown }]]);
});

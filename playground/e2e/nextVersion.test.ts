import { readdirSync } from 'node:fs';
import path from 'node:path';
import { N8nClient } from '../rest';
import type { WorkflowDraft } from '../restTypes';
import { OWNER, readExample } from '../setup';
import { chain, node } from '../workflows';
import { linesInLog, listFromSetup, START } from './world';

const EXAMPLES = readdirSync(path.join(__dirname, '..', '..', 'examples')).filter((file) =>
	file.endsWith('.json'),
);
/** What n8n 3 has no more, so that the rules are known to find things. */
const BROKEN: WorkflowDraft = {
	name: 'Broken by n8n 3',
	...chain(
		node('n8n-nodes-base.manualTrigger', START),
		node('n8n-nodes-base.executeWorkflow', 'Each', { mode: 'each' }, { typeVersion: 1.2 }),
		node('n8n-nodes-base.if', 'Two Outputs', {}, { typeVersion: 2.2, alwaysOutputData: true }),
	),
};

interface Finding {
	affectedWorkflows: { name: string; issues: { title: string }[] }[];
}

const REPORT = 'rest/breaking-changes/report';

/** What n8n 3 would break in the workflows of an n8n, by n8n's own rules: "workflow: what is wrong". */
async function brokenIn(client: N8nClient): Promise<string[]> {
	const { data } = await client.served<{
		data: { report: { workflowResults: { ruleId: string }[] } };
	}>(`${REPORT}?version=v3`);
	const findings = await Promise.all(
		data.report.workflowResults.map(
			async ({ ruleId }) => await client.served<{ data: Finding }>(`${REPORT}/${ruleId}`),
		),
	);
	return findings
		.flatMap((finding) => finding.data.affectedWorkflows)
		.flatMap(({ name, issues }) => issues.map(({ title }) => `${name}: ${title}`))
		.sort();
}

let clients: N8nClient[];

beforeAll(async () => {
	const signIn = async (url: string) => await N8nClient.signIn(url, OWNER);
	clients = await Promise.all(listFromSetup('E2E_N8NS').map(signIn));
	for (const client of clients) await client.createWorkflow(BROKEN);
	for (const file of EXAMPLES) await clients[0]?.createWorkflow(readExample(file));
});

test("n8n's rules for version 3 find nothing in the examples, nor in what the other tests have imported", async () => {
	const found = await Promise.all(clients.map(brokenIn));

	expect(found).toEqual(
		clients.map(() => [
			expect.stringMatching(/^Broken by n8n 3: Node 'Each' /) as unknown,
			expect.stringMatching(/^Broken by n8n 3: Node 'Two Outputs' /) as unknown,
		]),
	);
	// n8n passes over a rule that throws.
	expect(linesInLog('Breaking change rule failed')).toEqual([]);
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { itemsOf } from '../executions';
import { nodeBinary } from '../n8n';
import { post } from '../post';
import type { SavedExecution, SavedWorkflow } from '../restTypes';
import { apiCredentialData } from '../setup';
import { nodeOf } from '../workflows';
import {
	activateCalls,
	activateSingleCalls,
	CALL_NODE,
	callsPlaced,
	countOf,
	holdAnswers,
	MARKED_AT_ONCE,
	people,
	PLACE_CALL,
	postEach,
	reached,
	refuseOnce,
} from './calls';
import { openOwnWorld } from './ownWorld';
import {
	createOneNode,
	jsonOf,
	NODE,
	runOneNode,
	START,
	useOpened,
	useWorld,
	withCredential,
	type World,
} from './world';

const CONTINUE = { onError: 'continueRegularOutput' } as const;

const invalid = (error: RegExp) => ({
	error: expect.stringMatching(error) as string,
	details: { kind: 'invalidInput', outcome: 'notSent', httpStatus: null },
});

const detailsOf = ({ data }: SavedExecution): unknown =>
	(data.resultData.error as { context?: IDataObject } | undefined)?.context?.details;

describe('in the n8n of all tests', () => {
	const world = useWorld();

	describe('the mode of the credential', () => {
		/** Calls with such a credential; n8n wants a test number as soon as the mode is an expression. */
		async function callWith(mode: { mode?: string }, items: IDataObject[]) {
			const { baseUrl, apiKey, workspaceId } = world().simulator;
			const data = { baseUrl, apiKey, workspaceId, testNumber: '+4915112345678', ...mode };
			const changed = await withCredential(world(), data);
			return jsonOf(await runOneNode(changed, PLACE_CALL, items, CONTINUE))[0];
		}

		it.each(['={{ undefined }}', '={{ $vars.mode }}', '={{ $json.mode }}', '={{ "" }}'])(
			'%s gives nothing, so nothing is sent',
			async (mode) => {
				const json = await callWith({ mode }, people(2));

				expect(json).toMatchObject([1, 2].map(() => invalid(/Mode of the credential/)));
				expect(world().simulator.requests).toEqual([]);
			},
		);

		it('that was never saved only checks', async () => {
			const json = await callWith({}, people(2));

			expect(json?.map(({ result }) => result)).toEqual(['checked', 'checked']);
			expect(world().simulator.requests).toEqual([]);
		});

		it('that differs between the items sends nothing', async () => {
			const [ada, grace] = people(2);
			const items = [
				{ ...ada, mode: 'live' },
				{ ...grace, mode: 'checkOnly' },
			];

			const json = await callWith({ mode: '={{ $json.mode }}' }, items);

			expect(json).toMatchObject([1, 2].map(() => invalid(/credential.+differs between/)));
			expect(world().simulator.requests).toEqual([]);

			await callWith({ mode: '={{ $json.mode }}' }, items.slice(0, 1));
			expect(reached(world().simulator, people(2))).toEqual([1, 0]);
		});
	});

	it.each<INodeParameters>([
		{ allowedHours: '={{ undefined }}' },
		{ allowedHours: '={{ $json.missing }}' },
		{ allowedHours: '={{ ["00:00-24:00"] }}' },
		{ allowedHours: '={{ "mon" }}' },
		{ allowedHours: '={{ "25:00-26:00" }}' },
	])('rules of contact %j call nobody', async (contactRules) => {
		const parameters = { ...PLACE_CALL, contactRules };
		const execution = await runOneNode(world(), parameters, people(2), CONTINUE);

		expect(jsonOf(execution)[0]).toMatchObject([1, 2].map(() => invalid(/Allowed Hours/)));
		expect(world().simulator.requests).toEqual([]);
	});

	it('a slow answer to whether a long hold still lasts keeps others no longer than Max Wait', async () => {
		const { client, simulator, credentials } = world();
		const { workflow, path: webhook } = await activateSingleCalls(client, credentials, {
			parameters: { options: { maxWait: 3 } },
			change: (draft) => {
				Object.assign(nodeOf(draft, CALL_NODE), CONTINUE);
				return draft;
			},
		});
		const url = `${client.baseUrl}${webhook}`;
		const [refused, asking, ...others] = people(5);
		simulator.addFault({ kind: 'rateLimited', retryAfter: '600', times: 1 });
		await post(url, refused);
		await client.allFinished(workflow.id);
		const goOn = holdAnswers(simulator);
		await post(url, asking);
		await callsPlaced(simulator, 1);

		const [running] = await client.executions(workflow.id);
		await postEach(url, others);
		const ended = await client.finishedAfter(running?.id ?? '', workflow.id, others.length);
		const wasAnswered = simulator.requests.at(-1)?.status !== undefined;
		goOn();

		expect(wasAnswered).toBe(false);
		expect(ended.flatMap((one) => itemsOf(one, CALL_NODE))).toMatchObject(
			others.map(() => ({
				details: { kind: 'rateLimited', outcome: 'notSent', httpStatus: null },
			})),
		);
		expect(simulator.requests).toHaveLength(2);
		const asked = await client.finished(running?.id ?? '');
		expect(itemsOf(asked, CALL_NODE)).toMatchObject([{ result: 'placed' }]);
	});

	it('a retry with a typo in a rule counts who was called, and calls the third once it is corrected', async () => {
		const { client, simulator } = world();
		const all = people(3);
		const parameters = { ...PLACE_CALL, options: { maxConcurrentRequests: 1 } };
		const workflow = await createOneNode(world(), parameters, all);
		refuseOnce(simulator, all[2]);
		const failed = await client.run(workflow.id, START);
		expect(reached(simulator, all)).toEqual([1, 1, 0]);

		await saveRules(workflow, { doNotContact: '0151 1' });
		const withTypo = await client.retry(failed.id, true);

		expect(detailsOf(withTypo)).toMatchObject({ kind: 'invalidInput', outcome: 'notSent' });
		const { error } = withTypo.data.resultData;
		expect(error?.description).toContain('Of 3 items: 2 placed, 1 not sent.');
		expect(simulator.requests).toHaveLength(3);

		await saveRules(workflow, { doNotContact: '+15559990000' });
		const corrected = await client.retry(withTypo.id, true);

		expect(corrected.status).toBe('success');
		expect(jsonOf(corrected)[0]?.map(({ result }) => result)).toEqual(all.map(() => 'placed'));
		expect(reached(simulator, all)).toEqual([1, 1, 1]);
	});

	async function saveRules({ id }: SavedWorkflow, contactRules: INodeParameters): Promise<void> {
		const saved = await world().client.workflow(id);
		nodeOf(saved, NODE).parameters.contactRules = contactRules;
		await world().client.updateWorkflow(id, saved);
	}
});

describe('in an n8n with SSRF protection, which allows localhost', () => {
	const USER_FOLDER = path.join(__dirname, '..', '.state', 'edges');
	const settings = {
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_HOSTNAMES: 'localhost',
	};
	const PEOPLE = people(200);

	const world = useOpened(
		async () => await openOwnWorld(USER_FOLDER, { settings }),
		async ({ stop }) => stop(),
	);
	beforeEach(() => {
		world().simulator.reset();
	});

	/** Changes n8n's database, by the Node that n8n needs. */
	function sql(statement: string): void {
		const script =
			"const [, file, sql] = process.argv; new (require('node:sqlite').DatabaseSync)(file).exec(sql)";
		const database = path.join(USER_FOLDER, '.n8n', 'database.sqlite');
		execFileSync(nodeBinary(), ['--no-warnings', '-e', script, database, statement]);
	}

	/** The same with a credential whose Base URL is allowed. */
	const allowedWorld = async (): Promise<World> => {
		const { simulator } = world();
		const baseUrl = simulator.baseUrl.replace('127.0.0.1', 'localhost');
		return await withCredential(world(), { ...apiCredentialData(simulator), baseUrl });
	};

	it('another address is unreachable, and the error names the setting', async () => {
		const blocked = await runOneNode(world(), PLACE_CALL, people(1));

		expect(detailsOf(blocked)).toMatchObject({
			kind: 'unreachable',
			outcome: 'notSent',
			hint: expect.stringContaining('N8N_SSRF_ALLOWED_HOSTNAMES') as string,
		});
		expect(world().simulator.requests).toEqual([]);

		const allowed = await runOneNode(await allowedWorld(), PLACE_CALL, people(1));
		expect(jsonOf(allowed)[0]).toMatchObject([{ result: 'placed' }]);
	});

	it('after a kill, a retry calls nobody while the store cannot be read, and then the rest', async () => {
		const { client, simulator, credentials } = await allowedWorld();
		const { workflow, path: webhook } = await activateCalls(client, credentials);
		const goOn = holdAnswers(simulator, 60);
		await post(`${client.baseUrl}${webhook}`, { people: PEOPLE });
		await callsPlaced(simulator, 61);
		await world().crash(() => {
			sql('alter table processed_data rename to processed_data_away');
		});
		const [crashed] = await client.allFinished(workflow.id);
		const before = reached(simulator, PEOPLE);
		goOn();

		const blind = await client.retry(crashed?.id ?? '');

		expect(crashed?.status).toBe('crashed');
		expect(detailsOf(blind)).toMatchObject({ kind: 'stopped', outcome: 'notSent' });
		expect(reached(simulator, PEOPLE)).toEqual(before);

		sql('alter table processed_data_away rename to processed_data');
		await client.retry(blind.id);
		await client.retry(crashed?.id ?? '');

		const after = reached(simulator, PEOPLE);
		expect(countOf(before, 1)).toBeLessThan(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(after, 1)).toBeGreaterThanOrEqual(PEOPLE.length - MARKED_AT_ONCE);
		expect(countOf(after, 0) + countOf(after, 1)).toBe(PEOPLE.length);
	});
});

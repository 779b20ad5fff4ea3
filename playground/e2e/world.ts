import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startSimulator, type Simulator } from '../../test/simulator/simulator';
import { itemsOf, outputOf } from '../executions';
import { N8nClient } from '../rest';
import type { SavedExecution, SavedWorkflow } from '../restTypes';
import { OWNER, saveCredentials, saveWithoutBook, webhookPath, type Credentials } from '../setup';
import { chain, createActive, node } from '../workflows';

export interface World {
	client: N8nClient;
	simulator: Simulator;
	credentials: Credentials;
	secret: string;
	/** Ends the service, and what else is of this world alone. */
	stop: () => Promise<void>;
}

export const START = 'Start';
export const NODE = 'Assistant Service';
export const TRIGGER = 'Call Ended';

/** A setting of a node: an item that fails comes out like the others. */
export const CONTINUE = { onError: 'continueRegularOutput' } as const;

/** What the setup of this test run has put into the environment. */
export function fromSetup(name: string): string {
	const value = process.env[name];
	if (!value) throw new Error(`${name} is not set: run these tests with npm run test:e2e`);
	return value;
}

/** What the setup has put there for each worker of jest. */
export const listFromSetup = (name: string): string[] => fromSetup(name).split(',');

const ownOf = (name: string): string =>
	listFromSetup(name)[Number(process.env.JEST_WORKER_ID) - 1] ?? '';

/** The address of the n8n that the tests of this file use. */
export const n8nUrl = (): string => ownOf('E2E_N8NS');

/** The lines of n8n's log that hold a text. */
export const linesInLog = (text: string): string[] =>
	readFileSync(path.join(ownOf('E2E_USER_FOLDERS'), 'n8n.log'), 'utf8')
		.split('\n')
		.filter((line) => line.includes(text));

/**
 * The n8n of this test run, with credentials for a service of this test file.
 *
 * @param withBook true if the credential of the nodes has the contact book, as that of the examples has
 */
export async function openWorld(withBook = false): Promise<World> {
	const secret = fromSetup('E2E_WEBHOOK_SECRET');
	const client = await N8nClient.signIn(n8nUrl(), OWNER);
	const simulator = await startSimulator({ apiKey: fromSetup('E2E_API_KEY') });
	const ofExamples = await saveCredentials(client, simulator, secret);
	const credentials = withBook ? ofExamples : await saveWithoutBook(client, simulator, secret);
	const stop = async () => simulator.stop();
	return { client, simulator, credentials, secret, stop };
}

/** Opens something for the tests of a file, and stops it after them. */
export function useOpened<T extends { stop: () => Promise<void> }>(
	open: () => Promise<T>,
): () => T {
	let opened: T | undefined;
	beforeAll(async () => {
		opened = await open();
	});
	afterAll(async () => {
		await opened?.stop();
	});
	return () => {
		if (opened === undefined) throw new Error('It is not open');
		return opened;
	};
}

/** The n8n of this test run with a service for the tests of a file, as at its start before each of them. */
export function useWorld(withBook = false): () => World {
	const world = useOpened(async () => await openWorld(withBook));
	beforeEach(() => {
		world().simulator.reset();
	});
	return world;
}

/** A node under test, by its name in the package, with the credentials. */
export const ownNode = (
	{ credentials }: World,
	type: string,
	name: string,
	parameters: INodeParameters,
	extra: Partial<INode> = {},
): INode =>
	node(`n8n-nodes-assistant-service.${type}`, name, parameters, {
		credentials: { ...credentials },
		...extra,
	});

/** A workflow of the node under test, fed with these items when it is run by hand. */
export async function createOneNode(
	world: World,
	parameters: INodeParameters,
	items: IDataObject[] = [{}],
	extra: Partial<INode> = {},
): Promise<SavedWorkflow> {
	return await world.client.createWorkflow({
		name: NODE,
		...chain(
			node('n8n-nodes-base.manualTrigger', START),
			ownNode(world, 'assistantService', NODE, parameters, extra),
		),
		pinData: { [START]: items.map((json) => ({ json })) },
	});
}

export async function runOneNode(
	world: World,
	parameters: INodeParameters,
	items?: IDataObject[],
	extra?: Partial<INode>,
): Promise<SavedExecution> {
	const { id } = await createOneNode(world, parameters, items, extra);
	return await world.client.run(id, START);
}

export function jsonOf(execution: SavedExecution): IDataObject[][] {
	return outputOf(execution, NODE).map((items) => items.map(({ json }) => json));
}

export const triggerNode = (
	world: World,
	parameters: INodeParameters = {},
	extra: Partial<INode> = {},
): INode =>
	ownNode(world, 'assistantServiceTrigger', TRIGGER, parameters, { typeVersion: 1.1, ...extra });

/** An active workflow that begins with the trigger under test, and its production URL. */
export async function createTrigger(
	world: World,
	parameters: INodeParameters,
	{ servedBy = world.client.baseUrl, ...extra }: Partial<INode> & { servedBy?: string } = {},
) {
	const trigger = triggerNode(world, parameters, extra);
	const path = webhookPath(trigger);
	const draft = { name: 'Trigger', ...chain(trigger) };
	const workflow = await createActive(world.client, draft, () => path, servedBy);
	return {
		workflowId: workflow.id,
		url: `${servedBy}${path}`,
		outputOf: (execution: SavedExecution) => itemsOf(execution, trigger.name),
	};
}

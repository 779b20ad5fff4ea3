import type { INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import { people } from './calls';
import { jsonOf, runOneNode, useWorld } from './world';

const world = useWorld();
const [ada] = people(1, 40);

const SMS: INodeParameters = {
	...{ resource: 'sms', operation: 'start', assistantId: ASSISTANT_ID, fromNumber: FROM_NUMBER },
	...{ toNumber: ada?.phone, message: '={{ $json.text }}' },
};

it('the parts of a message arrive in their order, though the service refuses the first for the rate', async () => {
	const { simulator } = world();
	simulator.addFault({ kind: 'rateLimited', retryAfter: '1', times: 1 });
	const texts = ['one', 'two', 'three'].map((text) => ({ text }));

	const [sent] = jsonOf(await runOneNode(world(), SMS, texts));

	expect(sent?.map(({ result }) => result)).toEqual(['sent', 'sent', 'sent']);
	const arrived = simulator.requests.map(({ body }) => (body as { message: string }).message);
	expect(arrived).toEqual(['one', 'one', 'two', 'three']);
});

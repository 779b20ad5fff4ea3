import { sleep, type IWebhookFunctions } from 'n8n-workflow';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { AssistantServiceTrigger } from '../../nodes/AssistantServiceTrigger/AssistantServiceTrigger.node';
import { receiveDelivery } from '../../nodes/AssistantServiceTrigger/receive';
import { state } from '../../nodes/AssistantServiceTrigger/state';
import { useFastClock } from '../engine/fastClock';
import { useBookOfTrigger } from './bookOfTrigger';

useFastClock();
const { start } = useBookOfTrigger();

test('of an event whose row is looked for later, the process keeps no data', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const events: WeakRef<object>[] = [];
	AssistantServiceTrigger.prototype.webhook = async function (this: IWebhookFunctions) {
		events.push(new WeakRef(this));
		return await receiveDelivery(this);
	};
	const trigger = await start();

	for (const callId of ['call-1', 'call-2']) await trigger.post({ callId, transcript: 'Hello' });
	const [first] = events;
	for (let looks = 0; looks < 50 && first?.deref() !== undefined; looks++) {
		await sleep(100);
		collect();
	}

	expect(events).toHaveLength(2);
	expect(first?.deref()).toBeUndefined();
	expect(state.lateCalls).toBe(2);
});

import { getEventListeners } from 'events';

import { ada, bob, useContacts } from './contacts';
import { runNode } from './engine';
import { credentialFor } from './world';

const { simulator, calls } = useContacts();

/** Node keeps a signal, and all that its listeners hold, for as long as it has one. */
test.each(['live', 'checkOnly'])('a run leaves no listener behind: %s', async (mode) => {
	const signals: AbortSignal[] = [];
	const any = AbortSignal.any.bind(AbortSignal);
	const spy = jest.spyOn(AbortSignal, 'any').mockImplementation((sources) => {
		const signal = any(sources);
		signals.push(signal);
		return signal;
	});
	const credential = { ...credentialFor(simulator()), mode };

	await runNode({ ...calls([ada, bob, ada]), credential });
	spy.mockRestore();

	expect(signals.length).toBeGreaterThan(0);
	expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([]);
});

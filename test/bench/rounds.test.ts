import { inRounds, runnersDue } from '../../playground/bench/rounds';

it('runs each runner once in every round, one at a time, another one first in each, and tells of a round when it is over', async () => {
	const log: string[] = [];
	const rounds = await inRounds(
		2,
		() => ['node', 'floor'],
		async (runner) => {
			log.push(`${runner} begins`);
			await Promise.resolve();
			log.push(`${runner} ends`);
			return runner;
		},
		(round, samples) => log.push(`${round}: ${samples.join(', ')}`),
	);

	expect(rounds).toEqual([
		['node', 'floor'],
		['floor', 'node'],
	]);
	expect(log).toEqual([
		...['node begins', 'node ends', 'floor begins', 'floor ends', '0: node, floor'],
		...['floor begins', 'floor ends', 'node begins', 'node ends', '1: floor, node'],
	]);
});

it('leaves the stock declarative node out of the rounds after its last', () => {
	const due = runnersDue({ runners: ['node', 'declarative', 'floor'], slowRounds: 1 });

	expect([due(0), due(1)]).toEqual([
		['node', 'declarative', 'floor'],
		['node', 'floor'],
	]);
});

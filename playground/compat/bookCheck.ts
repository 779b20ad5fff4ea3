import { people, PLACE_CALL, reached } from '../e2e/calls';
import { each, ONCE_A_DAY, openBook, outcomesOf } from '../e2e/contactBook';
import { jsonOf, runOneNode } from '../e2e/world';
import type { Check } from './document';

const PEOPLE = people(8, 3);

export const BOOK_CHECK: Check = {
	title: 'The contact book holds back people that another workflow has called',
	async run(world) {
		const book = await openBook(world);
		const call = async () => await runOneNode(book.world, { ...PLACE_CALL, ...ONCE_A_DAY }, PEOPLE);
		const results = [await call(), await call()].map((run) => jsonOf(run)[0]);

		expect(results.map((items) => items?.map(({ result }) => result))).toEqual([
			PEOPLE.map(() => 'placed'),
			PEOPLE.map(() => 'heldBack'),
		]);
		expect(reached(world.simulator, PEOPLE)).toEqual(PEOPLE.map(() => 1));
		expect(await outcomesOf(book)).toEqual(each(PEOPLE, 'accepted'));
	},
};

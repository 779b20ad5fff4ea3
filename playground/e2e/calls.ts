import type { INodeParameters } from 'n8n-workflow';
import { ASSISTANT_ID, FROM_NUMBER } from '../../test/simulator/seed';
import type { Simulator } from '../../test/simulator/simulator';

/** Calls everybody who comes in. */
export const PLACE_CALL: INodeParameters = {
	resource: 'call',
	operation: 'place',
	assistantId: ASSISTANT_ID,
	fromNumber: FROM_NUMBER,
	toNumber: '={{ $json.phone }}',
};

export interface Person {
	/** n8n's items are open. */
	[key: string]: string;
	phone: string;
}

/** So many people; those of another group have other phone numbers. */
export function people(count: number, group = 0): Person[] {
	const first = 5_550_200_000 + group * 1000;
	return Array.from({ length: count }, (_, index) => ({ phone: `+1${first + index}` }));
}

export const phoneOf = (body: unknown): unknown => (body as { toNumber?: unknown }).toNumber;

/** How often the service acted on a call to each of these people. */
export function reached(simulator: Simulator, all: Person[]): number[] {
	const calls = simulator.processed('placeCall').map(({ body }) => phoneOf(body));
	return all.map(({ phone }) => calls.filter((called) => called === phone).length);
}

/** Lets the first call to this person be refused. */
export function refuseOnce(simulator: Simulator, person: Person | undefined): void {
	simulator.addFault({
		kind: 'status',
		status: 400,
		times: 1,
		when: ({ body }) => phoneOf(body) === person?.phone,
	});
}

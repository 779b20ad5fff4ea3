import { sleep } from 'n8n-workflow';

import * as people from './people';

/** The waits of the items of a run, which all end when nothing more is to start. */
export class Waits {
	private readonly stops = new Set<() => void>();

	/** Resolves when it is the item's turn: nobody is about to contact the person, and no other item has waited longer. */
	async forPerson(person: string): Promise<void> {
		let wake: () => void = () => undefined;
		await this.until((resolve) => {
			wake = resolve;
			people.wait(person, wake);
		});
		people.stopWaiting(person, wake);
	}

	/** @param milliseconds no more than some seconds: the timer is not taken back */
	async forTime(milliseconds: number): Promise<void> {
		await this.until((resolve) => void sleep(milliseconds).then(resolve));
	}

	/** Ends all waits. */
	end(): void {
		for (const stop of this.stops) stop();
		this.stops.clear();
	}

	private async until(begin: (resolve: () => void) => void): Promise<void> {
		await new Promise<void>((resolve) => {
			const stop = (): void => {
				this.stops.delete(stop);
				resolve();
			};
			this.stops.add(stop);
			begin(stop);
		});
	}
}

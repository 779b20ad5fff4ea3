import type { OwnWorld } from '../e2e/ownWorld';
import type { Row } from './document';

/** A row of the table, and how it is found out. */
export interface Check extends Row {
	/** Throws if the version fails. */
	run: (world: OwnWorld) => Promise<void>;
}

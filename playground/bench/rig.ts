import type { N8nClient } from '../rest';
import type { SavedCredential } from '../restTypes';
import type { Service } from './service';

/** The one n8n and the one service that all runners of a benchmark share. */
export interface Rig {
	client: N8nClient;
	service: Service;
	/** Of its nodes, by their types. */
	credentials: Readonly<Record<string, SavedCredential>>;
	/** Waits until n8n has caught up: after a long freeze it takes its database for lost. */
	untilReady: () => Promise<void>;
}

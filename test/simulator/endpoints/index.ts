import * as assistants from './assistants';
import * as campaigns from './campaigns';
import * as chat from './chat';
import * as knowledgeBases from './knowledgeBases';
import * as msgapp from './msgapp';
import * as phone from './phone';

/** The endpoint table (S 4): what the files of this folder export, by its name there. */
export const ENDPOINTS = {
	...assistants,
	...campaigns,
	...chat,
	...knowledgeBases,
	...msgapp,
	...phone,
};

/** The endpoints of S 4; `chat` is both S 4.1 and S 4.2. */
export type EndpointName = keyof typeof ENDPOINTS;

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];

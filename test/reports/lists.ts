import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ada, bob } from '../engine/contacts';
import type { Reports } from './report';

/** The rules of a list that is called again and again. */
export const LIST = { list: 'Spring' };
export const TRIES = { ...LIST, attempts: 3, notAgainWithin: 1 };
const BRIEF = { ...TRIES, noResultAfter: 4 };
const DAILY = { ...LIST, notAgainWithin: 24 };

const expired = { outcome: 'notMade' };
const timedOut = { outcome: 'unknown', contactId: null };
const no = { reached: 'no' };
const twice = { reached: 'no', claim: 'a.1' };
const failed = (code: number) => ({ ...no, variables: `{"sip":${code}}` });

/** What the book has of a person, ten hours apart, and what the rules make of it. */
export const PASTS: Reports<[rows: IDataObject[], rules: INodeParameters, reason: string]> = [
	['PYPE-AI-MAIN/whispey#494', [480, 486, 503].map(failed), TRIES, 'attemptsUsed'],
	['instedd/surveda#1589', [expired, expired, expired], TRIES, 'placed'],
	['CALLE#150', [timedOut], TRIES, 'resultOpen'],
	['elizaOS/eliza#22384', [timedOut, timedOut, timedOut], BRIEF, 'attemptsUsed'],
	['CALLE#337', [{ endedAt: '2026-09-06' }], TRIES, 'resultOpen'],
	['hkjarral/AVA-AI-Voice-Agent-for-Asterisk#539', [twice, twice, no], TRIES, 'placed'],
	['eracle/OpenOutreach#881', [{ list: 'Jobs' }], DAILY, 'contactedRecently'],
];

/** Rows that runs have at once, and the rules of each. */
export const AT_ONCE: Reports<[people: (typeof ada)[], rules: INodeParameters[]]> = [
	['juspay/clairvoyance#668', [ada, ada, ada], [TRIES, TRIES, TRIES, TRIES]],
	['n8n-io/n8n#30607, n8n-io/n8n#28322', [ada, bob], [TRIES, { list: ' spring' }]],
];

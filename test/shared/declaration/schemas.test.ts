import {
	flag,
	identifier,
	json,
	label,
	numberWithin,
	oneOf,
	optional,
	priority,
	text,
	uuid,
	webAddress,
} from '../../../nodes/shared/declaration/schemas';
import { ASSISTANT_ID, REFUSED, valueOf } from '../samples';

/** Which texts are identifiers is in readItem.test.ts. */
test.each([Number.MAX_SAFE_INTEGER + 1, Number.NaN, true, null, undefined, {}])(
	'%j is no identifier',
	(input) => {
		expect(valueOf(identifier, input)).toBe(REFUSED);
	},
);

const longUrl = (length: number): string => 'https://example.com/'.padEnd(length, 'x');

const limited = numberWithin(1, 200, true);
const list = json(optional(text));

test.each([
	['identifier', identifier, 0, '0'],
	['identifier', identifier, Number.MAX_SAFE_INTEGER, '9007199254740991'],
	['uuid', uuid, ` ${ASSISTANT_ID} `, ASSISTANT_ID],
	['uuid', uuid, `${ASSISTANT_ID}/x`, REFUSED],
	['uuid', uuid, `${ASSISTANT_ID}\n${ASSISTANT_ID}`, REFUSED],
	['uuid', uuid, 4711, REFUSED],
	['text', text, '  as it is\n', '  as it is\n'],
	['text', text, 3.5, '3.5'],
	['text', text, ' \n ', REFUSED],
	['text', text, ['a'], REFUSED],
	['label', label, ' en ', 'en'],
	['flag', flag, false, false],
	['flag', flag, 'true', REFUSED],
	['oneOf', oneOf('a', 'b'), 'c', REFUSED],
	['numberWithin', limited, '200', 200],
	['numberWithin', limited, 0, REFUSED],
	['numberWithin', limited, 201, REFUSED],
	['numberWithin', limited, 1.5, REFUSED],
	['numberWithin', limited, '', REFUSED],
	['priority', priority, 0, 0],
	['priority', priority, '1', REFUSED],
	['priority', priority, 3, REFUSED],
	['priority', priority, 0.5, REFUSED],
	['webAddress', webAddress, ' https://example.com/a b.xlsx ', 'https://example.com/a b.xlsx'],
	['webAddress', webAddress, longUrl(4_096), longUrl(4_096)],
	['webAddress', webAddress, longUrl(4_097), REFUSED],
	['webAddress', webAddress, 'ftp://example.com', REFUSED],
	['webAddress', webAddress, 'javascript:alert(1)', REFUSED],
	['json', list, '"a"', 'a'],
	['json', list, '{"a": 1}', REFUSED],
	['optional', optional(uuid), '  ', undefined],
	['optional', optional(uuid), 'x', REFUSED],
])('the schema %s of %j', (_, schema, input, expected) => {
	expect(valueOf(schema, input)).toBe(expected);
});

import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The file of the operation that CONTRIBUTING.md shows, by its path from the root. */
const EXAMPLE = 'nodes/AssistantService/resources/sms.ts';

/** From the first operation of a resource to its last line. */
const OPERATION = /^const \w+ = defineOperation\(\{\n[^]*?^\}\);$/m;

/**
 * An operation as it stands in its file, which is compiled and tested.
 *
 * @throws Error if the file has none
 */
export function exampleOperation(): string {
	const [operation] =
		OPERATION.exec(readFileSync(path.join(__dirname, '..', EXAMPLE), 'utf8')) ?? [];
	if (operation === undefined) throw new Error(`${EXAMPLE} defines no operation`);
	return `An operation that reaches somebody, from [${path.basename(EXAMPLE)}](${EXAMPLE}):\n\n\`\`\`ts\n${operation}\n\`\`\``;
}

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = path.join(__dirname, '..', '..', 'examples', 'queue-mode');

const compose = z.object({
	services: z.record(
		z.object({
			command: z.string().optional(),
			build: z.string().optional(),
			environment: z.record(z.string()).default({}),
		}),
	),
});

/** A process of n8n as the compose file describes it. */
export interface N8nService {
	name: string;
	command: string[];
	environment: Record<string, string>;
}

/**
 * The services of the compose file that the docs show; the tests start just these.
 *
 * @param values what the file `.env` beside it would hold
 */
export function readCompose(values: Readonly<Record<string, string>>): {
	n8n: N8nService[];
	redis: string[];
} {
	const text = readFileSync(path.join(FOLDER, 'compose.yaml'), 'utf8');
	const filled = text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
		const value = values[name];
		if (value === undefined) throw new Error(`compose.yaml asks for ${name}`);
		return value;
	});
	const { services } = compose.parse(parse(filled, { merge: true }));
	const commandOf = ({ command = '' }) => command.split(' ');
	return {
		n8n: Object.entries(services)
			.filter(([, { build }]) => build !== undefined)
			.map(([name, service]) => ({
				name,
				command: commandOf(service),
				environment: service.environment,
			})),
		redis: commandOf(services.redis ?? {}).slice(1),
	};
}

/** Caddy's configuration, with other names for the site and what stands behind it. */
export function readCaddyfile(names: ReadonlyMap<string, string>): string {
	const text = readFileSync(path.join(FOLDER, 'Caddyfile'), 'utf8');
	return [...names].reduce((all, [name, value]) => all.replaceAll(name, value), text);
}

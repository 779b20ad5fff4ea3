import { isContainer } from '../../nodes/shared/values';
import { NEW_ID } from './row';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A value of a row for a comparison with what came from a service: any UUID will do where the row has NEW_ID. */
export function withNewIds(value: unknown): unknown {
	if (typeof value === 'string' && value.includes(NEW_ID)) {
		const pattern = value.split(NEW_ID).map(escaped).join(UUID);
		return expect.stringMatching(new RegExp(`^${pattern}$`));
	}
	if (Array.isArray(value)) return value.map(withNewIds);
	if (!isContainer(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withNewIds(part)]));
}

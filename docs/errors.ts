import { readAnswer } from '../nodes/shared/answer/answer';
import { FAILURE_TEXTS } from '../nodes/shared/answer/failure';
import { menu } from '../nodes/AssistantService/resources';
import { row, table } from './operations';

/** The statuses of errors that the service shows, that of a proxy, and those that ask for patience. */
const STATUSES = [400, 401, 402, 403, 404, 407, 408, 409, 429, 500, 503];

/** Every kind of failure: what is said, what to do, and which status means it if the service gives no reason. */
export function errorsTable(): string {
	const rows = Object.entries(FAILURE_TEXTS).map(([kind, { message, hint }]) =>
		row(`\`${kind}\``, message, hint, statusesOf(kind).join(', ')),
	);
	return table(['`kind`', 'What happened', 'What to do', 'Status'], rows);
}

function statusesOf(kind: string): string[] {
	const everywhere = STATUSES.filter((status) => meaningOf(status) === kind).map(String);
	const here = menu.resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			Object.entries(operation.statusKinds ?? {})
				.filter(([, meaning]) => meaning === kind)
				.map(([status]) => `${status} of ${resource.name}: ${operation.name}`),
		),
	);
	return [...everywhere, ...here];
}

/** What a status without a text means to an operation that has no meaning of its own for it. */
function meaningOf(status: number): string | undefined {
	const answer = readAnswer({ repeatable: false, successMarkers: {} }, { status, body: {} });
	return answer.kind === 'accepted' ? undefined : answer.failure.kind;
}

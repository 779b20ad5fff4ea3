/**
 * Does work for many at a time: while one part is under way, whatever is asked for waits for the
 * next. If a part throws, all who wait for it get that error; so does the oldest of over 300 parts.
 *
 * @param most how many are taken at a time
 * @param work gives what it found out, in the order of what was asked
 */
export function joined<Question, Answer>(
	most: number,
	work: (asked: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
	/** The part that has not begun. */
	let next: { readonly asked: Question[]; answers: Promise<readonly Answer[]> } | undefined;
	const inTurn = queueOf(1, 300);
	const begin = async (asked: Question[]) => {
		await Promise.resolve();
		if (next?.asked === asked) next = undefined;
		return await work(asked);
	};
	return async (question) => {
		if (next === undefined || next.asked.length === most) {
			const asked: Question[] = [];
			next = { asked, answers: inTurn(async () => await begin(asked)) };
		}
		const { asked, answers } = next;
		const place = asked.push(question) - 1;
		const answer = (await answers)[place];
		if (answer === undefined) throw new Error('a question was not answered');
		return answer;
	};
}

/** Does the work of many in its order, so much at a time. Of too many, the oldest gets an error. */
export function queueOf(most: number, room = Infinity) {
	let free = most;
	const waiting: ((isLost?: true) => void)[] = [];
	return async <T>(work: () => Promise<T>): Promise<T> => {
		if (free > 0) free--;
		else {
			const isLost = new Promise<true | undefined>((begin) => waiting.push(begin));
			if (waiting.length > room) waiting.shift()?.(true);
			if (await isLost) throw new Error(`more than ${room} wait for n8n`);
		}
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free++;
		}
	};
}

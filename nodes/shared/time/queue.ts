/**
 * Does work for many at a time: while one part is under way, whatever is asked for waits for the
 * next. If a part throws, all who wait for it get that error.
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
	let last: Promise<unknown> = Promise.resolve();
	const begin = (asked: Question[]) => {
		if (next?.asked === asked) next = undefined;
		return work(asked);
	};
	return async (question) => {
		if (next === undefined || next.asked.length === most) {
			const asked: Question[] = [];
			next = { asked, answers: last.then(async () => await begin(asked)) };
			last = next.answers.catch(() => undefined);
		}
		const { asked, answers } = next;
		const place = asked.push(question) - 1;
		const answer = (await answers)[place];
		if (answer === undefined) throw new Error('a question was not answered');
		return answer;
	};
}

/** Does the work of many in its order, so much at a time. */
export function queueOf(most: number): <T>(work: () => Promise<T>) => Promise<T> {
	let free = most;
	const waiting: (() => void)[] = [];
	return async (work) => {
		if (free === 0) await new Promise<void>((begin) => waiting.push(begin));
		else free--;
		try {
			return await work();
		} finally {
			const next = waiting.shift();
			if (next) next();
			else free++;
		}
	};
}

/**
 * Does work for many at a time: while one part is under way, whatever is asked for waits for the next. If a part throws,
 * all who wait for it get that error.
 *
 * @param most how many are taken at a time
 * @param work gives what it found out, in the order of what was asked
 */
export function joined<Question, Answer>(
	most: number,
	work: (asked: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
	interface Waiting {
		readonly question: Question;
		readonly resolve: (answer: Answer) => void;
		readonly reject: (error: unknown) => void;
	}
	const waiting: Waiting[] = [];
	let isWorking = false;
	const workOff = async (): Promise<void> => {
		if (isWorking) return;
		isWorking = true;
		// What is asked for in the same moment goes together.
		await Promise.resolve();
		while (waiting.length > 0) {
			const part = waiting.splice(0, most);
			try {
				const answers = await work(part.map(({ question }) => question));
				part.forEach(({ resolve, reject }, place) => {
					const answer = answers[place];
					if (answer === undefined) reject(new Error('a question was not answered'));
					else resolve(answer);
				});
			} catch (error) {
				for (const { reject } of part) reject(error);
			}
		}
		isWorking = false;
	};
	return async (question) =>
		await new Promise((resolve, reject) => {
			waiting.push({ question, resolve, reject });
			void workOff();
		});
}

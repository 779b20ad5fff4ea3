import { unknownHint } from '../../../nodes/shared/output/unknownItems';

const BY_RETRY = { usesBook: false, findsRows: false, wentOn: false };

test.each([
	[
		'with the book',
		{ ...BY_RETRY, usesBook: true, findsRows: true },
		/book .* but those with "acc/,
	],
	['without', BY_RETRY, /look it up .* "Send Again", which sends all unknown items again/],
	[
		'with the book, where a retry does not find its row',
		{ ...BY_RETRY, usesBook: true },
		/look it up .* "Send Again", which sends all unknown items again/,
	],
	[
		'with the book, if the run went on',
		{ usesBook: true, findsRows: false, wentOn: true },
		/look it up .* to "accepted" .* to "notMade" .* If it did not, send it again after that, in a list of its own\.$/,
	],
	[
		'without, if the run went on',
		{ ...BY_RETRY, wentOn: true },
		/look it up .* send it in a list of its own\.$/,
	],
])('what is to be done about an unknown item, %s', (_, settling, said) => {
	const hint = unknownHint({ repeatable: false }, settling);

	expect(hint).toMatch(/^It may have taken effect all the same/);
	expect(hint).toMatch(said);
	if (settling.wentOn) expect(hint).not.toMatch(/retry/);
	expect(unknownHint({ repeatable: true }, settling)).toMatch(/no harm to send it once more/);
});

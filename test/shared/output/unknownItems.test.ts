import { unknownHint } from '../../../nodes/shared/output/unknownItems';

test.each([
	['with the book', false, true, /look it up .* contact book: to "accepted" .* to "notMade"/],
	['without', false, false, /look it up .* "Send Again", which sends all unknown items again/],
	['of what is safe to repeat', true, true, /no harm to send it once more: retry/],
])('what is to be done about an unknown item, %s', (_, repeatable, usesBook, said) => {
	const hint = unknownHint({ repeatable }, usesBook);

	expect(hint).toMatch(/^It may have taken effect all the same/);
	expect(hint).toMatch(said);
});

import { isContainer } from '../values';

/** What gives the items of a whole node, whichever item it is evaluated for. */
const WHOLE_NODE =
	/\$(?:input|\(\s*(?:'[^'\\$]*'|"[^"\\$]*")\s*\))\s*\.\s*(?:all|first|last)\s*\(/g;

/** The names of what n8n gives of an item begin with `$`, which can also be escaped. */
const OF_ITEM = /\$|\\[ux]/;

/**
 * True if a parameter, as it was entered, has one value for all items of a run: it holds no expression, or one that
 * reads whole nodes only. Time and chance are the same for all items then.
 */
export function isSameForAllItems(entered: unknown): boolean {
	if (isContainer(entered)) return Object.values(entered).every(isSameForAllItems);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return true;
	return !OF_ITEM.test(entered.replaceAll(WHOLE_NODE, ''));
}

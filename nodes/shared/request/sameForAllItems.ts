import { isContainer } from '../values';

/** What gives the items of a whole node, whichever item it is evaluated for. */
const WHOLE_NODE = /\$(?:input|\((?:'[^'\\$]*'|"[^"\\$]*")\))\.(?:all|first|last)\(/g;

/**
 * True if a parameter, as it was entered, has one value for all items of a run: it holds no expression, or one that
 * reads whole nodes only. Whatever else n8n gives to an expression has a name with `$`.
 */
export function isSameForAllItems(entered: unknown): boolean {
	if (isContainer(entered)) return Object.values(entered).every(isSameForAllItems);
	if (typeof entered !== 'string' || !entered.startsWith('=')) return true;
	return !entered.replaceAll(WHOLE_NODE, '').includes('$');
}

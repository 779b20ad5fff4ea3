/** Loads modules as another process of n8n has them, which knows only what n8n has kept. */
export function inOtherProcess<T>(load: () => T): T {
	const workflow = jest.requireActual<object>('n8n-workflow');
	const loaded: T[] = [];
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => workflow);
		loaded.push(load());
	});
	jest.dontMock('n8n-workflow');
	const [modules] = loaded;
	if (modules === undefined) throw new Error('The modules cannot be loaded');
	return modules;
}

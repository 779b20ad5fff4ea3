import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describePackage, EARLIER_PACKAGE } from './package';

const ROOT = path.join(__dirname, '..', '..');
/** Where the package's build puts the node. */
const NODE = 'dist/nodes/AssistantService/AssistantService.node.js';

/**
 * Builds the package as it was at a commit, and puts its node into a user folder under another name, beside that of
 * today. Both use today's credential.
 *
 * @throws Error if there is no such commit, or if it cannot be built with today's tools
 */
export function installEarlier(userFolder: string, commit: string): void {
	const sources = path.join(userFolder, 'earlier');
	const target = path.join(userFolder, '.n8n', 'nodes', 'node_modules', EARLIER_PACKAGE);
	// One that was interrupted has left its worktree in git's list.
	git('worktree', 'add', '--force', '--detach', sources, commit);
	try {
		symlinkSync(path.join(ROOT, 'node_modules'), path.join(sources, 'node_modules'));
		run('npm', ['run', 'build'], sources);
		mkdirSync(target, { recursive: true });
		cpSync(path.join(sources, 'dist'), path.join(target, 'dist'), { recursive: true });
	} finally {
		git('worktree', 'remove', '--force', sources);
	}
	describePackage(target, EARLIER_PACKAGE, [NODE]);
}

function git(...args: string[]): void {
	run('git', args, ROOT);
}

function run(command: string, args: string[], cwd: string): void {
	execFileSync(command, args, {
		cwd,
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32',
	});
}

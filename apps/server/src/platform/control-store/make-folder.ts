import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Beside this file, which in development is TypeScript. */
const PROCESS = new URL(
  import.meta.url.endsWith('.ts') ? './make-folder-process.ts' : './make-folder-process.js',
  import.meta.url,
);

/**
 * Makes a folder for PGlite, with no tables yet. In a process of its own, since it takes 1.1 GB for a moment, and 150 MB of them would stay
 * with the server for as long as it runs.
 * @throws Error with what the process said
 */
export async function makeFolder(folder: string): Promise<void> {
  const child = fork(PROCESS, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const said = child.stderr === null ? '' : await text(child.stderr);
  const [code, signal] = await exited;
  if (code !== 0) throw new Error(`the store of accounts could not be made (${signal ?? code}): ${said}`);
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Path of the script, which is next to this file: TypeScript in development, JavaScript in the build. */
const PROCESS = new URL(
  import.meta.url.endsWith('.ts') ? './make-folder-process.ts' : './make-folder-process.js',
  import.meta.url,
);

/**
 * Creates a PGlite folder without tables. Runs in a child process, because PGlite needs 1.1 GB for a moment, of
 * which 150 MB would stay allocated in the server.
 * @throws Error with the child process's output
 */
export async function makeFolder(folder: string): Promise<void> {
  const child = fork(PROCESS, [folder], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const exited = once(child, 'exit');
  const said = child.stderr === null ? '' : await text(child.stderr);
  const [code, signal] = await exited;
  if (code !== 0) throw new Error(`the store of accounts could not be made (${signal ?? code}): ${said}`);
}

import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

const children = new Set<ChildProcess>();
const folders = new Set<string>();

let isPrepared = false;

function prepare(): void {
  if (isPrepared) return;
  isPrepared = true;
  process.on('exit', () => {
    for (const child of children) child.kill('SIGKILL');
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
}

/** Ends the child process when this process exits, crashes or is terminated. */
export function endWithThis(child: ChildProcess): void {
  prepare();
  children.add(child);
  child.once('exit', () => children.delete(child));
}

/** Deletes the folder when this process exits. */
export function removeWithThis(folder: string): void {
  prepare();
  folders.add(folder);
}

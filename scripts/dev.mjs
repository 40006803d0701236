/**
 * `npm run dev`: starts the server from its sources, restarts it when they change, and serves the dashboard with hot reload on the port
 * that it prints.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnv, ensureBuilt, ensureInstalled, pinnedNode, root } from './workspace.mjs';

await ensureInstalled();
await ensureBuilt();

const children = [
  spawn(pinnedNode, ['--conditions=source', '--watch', 'apps/server/src/main.ts', 'serve'], {
    cwd: root,
    env: childEnv(),
    stdio: 'inherit',
  }),
  spawn('vite', [], { cwd: join(root, 'apps/dashboard'), env: childEnv(), stdio: 'inherit' }),
];

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => children.forEach((child) => void child.kill(signal)));
}
for (const child of children) {
  child.once('exit', (code) => {
    for (const other of children) other.kill('SIGTERM');
    process.exitCode = code ?? 0;
  });
}

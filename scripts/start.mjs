/**
 * `npm start`: installs and builds what is missing, then runs the product with embedded stores, and the demo shop next to it.
 * `npm start -- --no-demo` omits the demo. Stops both on SIGINT or SIGTERM, and exits with the server's exit code.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { childEnv, ensureBuilt, ensureInstalled, pinnedNode, root } from './workspace.mjs';

const known = ['--no-demo'];
const unknown = process.argv.slice(2).filter((arg) => !known.includes(arg));
if (unknown.length > 0) {
  console.error(`npm start knows ${known.join(', ')}; not ${unknown.join(' ')}.`);
  process.exit(2);
}
const withDemo = !process.argv.includes('--no-demo');

await ensureInstalled();
await ensureBuilt();

/**
 * The running shop; `next` contains the settings for its replacement. @type {import('node:child_process').ChildProcess | undefined}
 */
let shop;
/** @type {DemoReady | undefined} */
let next;
/** The process that sends the shop's history to a new workspace. @type {import('node:child_process').ChildProcess | undefined} */
let history;

const server = spawn(
  pinnedNode,
  [join(root, 'apps/server/dist/main.js'), 'serve', ...(withDemo ? ['--demo'] : [])],
  { cwd: root, env: childEnv(), stdio: ['inherit', 'inherit', 'inherit', 'ipc'] },
);

server.on('message', (message) => {
  if (!isDemoReady(message)) return;
  if (message.history !== null && process.env.DEMO_HISTORY !== 'off') playHistory(message, message.history);
  openShop(message);
});
server.once('exit', (code, signal) => {
  shop?.kill('SIGTERM');
  history?.kill('SIGTERM');
  process.exitCode = signal === null ? (code ?? 1) : 0;
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.on(signal, () => server.kill(signal));
}

/**
 * @typedef {{ type: 'demo', apiKey: string, url: string, port: number, history: string | null }} DemoReady
 * @param {unknown} message
 * @returns {message is DemoReady}
 */
function isDemoReady(message) {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'demo';
}

/**
 * Starts the shop. If a shop with an older key is running, the new shop starts after the old shop has ended.
 *
 * @param {DemoReady} demo
 */
function openShop(demo) {
  next = demo;
  if (shop !== undefined) {
    shop.kill('SIGTERM');
    return;
  }
  const started = startShop(demo);
  shop = started;
  next = undefined;
  started.once('exit', () => {
    shop = undefined;
    if (next !== undefined && server.exitCode === null) openShop(next);
  });
}

/**
 * Sends the shop's history up to the given time, once, and notifies the server when everything was sent.
 *
 * @param {DemoReady} demo
 * @param {string} until
 */
function playHistory(demo, until) {
  if (history !== undefined) return;
  history = spawn(pinnedNode, ['src/history/main.ts'], {
    cwd: join(root, 'apps/demo'),
    env: childEnv({ THROUGHLINE_API_KEY: demo.apiKey, THROUGHLINE_URL: demo.url, HISTORY_UNTIL: until }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  history.once('exit', (code) => {
    if (code === 0 && server.connected) server.send('demo-history-played');
  });
}

/**
 * Starts the shop, traced with the demo project's key. The shop stops when the IPC channel closes, which happens when this process ends.
 *
 * @param {DemoReady} demo
 */
function startShop(demo) {
  return spawn(pinnedNode, ['--import', '@throughline/node/auto', 'src/main.ts'], {
    cwd: join(root, 'apps/demo'),
    env: childEnv({
      DEMO_PORT: String(demo.port),
      THROUGHLINE_API_KEY: demo.apiKey,
      THROUGHLINE_URL: demo.url,
      THROUGHLINE_SERVICE: 'shop',
      THROUGHLINE_RELEASE: '1.5.0',
      THROUGHLINE_ENVIRONMENT: 'production',
    }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

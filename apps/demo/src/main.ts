/**
 * Runs the shop until SIGTERM or SIGINT. A shop that was started with an IPC channel (`fork`, `stdio: 'ipc'`) also ends when its parent
 * process exits.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createApp } from './app.ts';
import { openDatabase } from './database/open.ts';
import { INDEX_OF_ORDERS } from './database/schema.ts';
import { readSettings } from './settings.ts';
import { createTrafficControl } from './traffic/control.ts';
import { TrafficMaker } from './traffic/maker.ts';

/** Maximum time for running requests to complete after the shutdown begins. */
const DRAIN_MS = 5000;

const settings = readSettings(process.env);
const database = await openDatabase();
if (settings.release === '1.4.0') await database.query(INDEX_OF_ORDERS);
const traffic = new TrafficMaker();
const server: Server = createServer(
  createApp(
    database,
    createTrafficControl(traffic, () => readAddress(server)),
  ),
);
server.listen(settings.port, '127.0.0.1');
await once(server, 'listening').catch((error: unknown) => {
  process.stderr.write(`The demo shop cannot listen on DEMO_PORT ${settings.port}: ${String(error)}\n`);
  process.exit(1);
});
if (settings.visitors) traffic.keepVisiting(readAddress(server));
process.send?.({ type: 'listening', url: readAddress(server) });

let stopping = false;
const stopOnce = (): void => {
  if (stopping) return;
  stopping = true;
  void stop();
};
process.on('SIGTERM', stopOnce);
process.on('SIGINT', stopOnce);
process.once('disconnect', stopOnce);

async function stop(): Promise<void> {
  traffic.stop();
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), DRAIN_MS).unref();
  await closed;
  await database.close();
  if (process.connected) process.disconnect();
}

function readAddress(listening: Server): string {
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('the shop does not listen');
  return `http://127.0.0.1:${address.port}`;
}

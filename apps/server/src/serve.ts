import { createApp } from './app.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from './features/demo/index.ts';
import { systemClock } from './platform/clock.ts';
import type { Config } from './platform/config.ts';
import { createLog } from './platform/log.ts';
import { describeLowStoreSpace } from './platform/start/store-space.ts';

/** Starts the server. The server stops upon SIGTERM or SIGINT, or when a parent process with an IPC channel ends. */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  // Ignores a data folder that cannot be read: `createApp` reports the folder with the fix.
  const lowSpace = await describeLowStoreSpace(config).catch(() => undefined);
  if (lowSpace !== undefined) log.warn(lowSpace);
  const app = await createApp(config, { clock: systemClock, log });
  let stopping = false;
  const stop = (signal: NodeJS.Signals | 'disconnect') => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.fatal({ err }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // If the parent process started this process with an IPC channel, the server stops when the parent ends. Without this listener, the
  // server would keep running after its parent was killed.
  process.once('disconnect', () => stop('disconnect'));
  // If the start failed, the listener must not keep the process alive.
  process.channel?.unref();
  const url = await app.listen().catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  process.stdout.write(`\n  Throughline is ready at ${app.publicUrl()}\n`);
  const grpcPort = app.otlpGrpcPort();
  if (grpcPort !== undefined) process.stdout.write(`  OTLP over gRPC is accepted on port ${grpcPort}\n`);
  if (config.demoPort !== undefined) await announceDemo(app, url, { ...config, demoPort: config.demoPort });
  process.stdout.write('\n');
}

/** Prints the demo's logins, and passes the API key to the process that starts the shop. */
async function announceDemo(
  app: Awaited<ReturnType<typeof createApp>>,
  url: string,
  config: { readonly demoPort: number; readonly host: string },
): Promise<void> {
  if (!(await app.demo.ensure())) return;
  const lines = DEMO_LOGINS.map(
    ({ role, email }) => `    ${role.padEnd(9)}  ${email.padEnd(24)} ${DEMO_PASSWORD}`,
  );
  process.stdout.write(`\n  Demo logins\n${lines.join('\n')}\n`);
  if (!/^(127\.|localhost$|::1$)/.test(config.host)) {
    process.stdout.write(
      `\n  These passwords are public, and HOST=${config.host} lets other machines connect.\n`,
    );
  }
  const history = await app.demo.findMissingHistory();
  process.on('message', (message) => {
    if (message === 'demo-history-played') void app.demo.historyPlayed();
  });
  // The new listener must not keep the process alive.
  process.channel?.unref();
  await app.demo.followKey((apiKey) => {
    if (!process.connected) return;
    process.send?.({
      type: 'demo',
      apiKey,
      url,
      port: config.demoPort,
      history: history?.toISOString() ?? null,
    });
  });
}

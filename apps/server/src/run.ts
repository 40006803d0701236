import { createApp } from './app.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from './features/demo/index.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { DataDirBusy } from './platform/data-dir-lock.ts';
import { createLog } from './platform/log.ts';

const USAGE = `Usage: throughline serve

Runs the product: dashboard, API and stores in one process. Settings come from the environment:
PORT, HOST, DATA_DIR, PUBLIC_URL, DATABASE_URL, CLICKHOUSE_URL, SECRET_KEY, MAX_DISK_GB, METRICS_TOKEN,
TRUST_PROXY, LOG_LEVEL.
`;

/** Does what the command line says; exits with 2 where it is not understood, with 1 where the start fails. */
export async function run(args: readonly string[], production: boolean): Promise<void> {
  const [command, ...flags] = args;
  if (command === 'help' || command === '--help') {
    process.stdout.write(USAGE);
    return;
  }
  if (command !== 'serve' || flags.some((flag) => flag !== '--demo')) {
    process.stderr.write(USAGE);
    process.exitCode = 2;
    return;
  }
  try {
    await serve(readConfig({ production, demo: flags.includes('--demo') }));
  } catch (error) {
    const reason = reasonFor(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }
}

/** What to tell whoever started the server, where it is his to mend. */
function reasonFor(error: unknown): string | undefined {
  if (error instanceof ConfigError || error instanceof DataDirBusy) return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `PORT is in use by another program: ${error.message}`;
    if (error.code === 'EACCES') return `Not permitted: ${error.message}`;
  }
  return undefined;
}

async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const app = await createApp(config, { clock: systemClock, log });
  let stopping = false;
  const stop = (signal: NodeJS.Signals | 'disconnect') => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.fatal({ err }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // Whoever started this with a channel is gone: nobody else would end it.
  process.once('disconnect', () => stop('disconnect'));
  // Listening alone must not keep a process whose start failed.
  process.channel?.unref();
  const url = await app.listen().catch(async (error: unknown) => {
    await app.stop();
    throw error;
  });
  process.stdout.write(`\n  Throughline is ready at ${app.publicUrl()}\n`);
  if (config.demoPort !== undefined) await announceDemo(app, url, { ...config, demoPort: config.demoPort });
  process.stdout.write('\n');
}

/** Prints the demo's logins, and hands its key to the process that starts the shop. */
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
      `\n  Everybody knows these passwords, and HOST=${config.host} lets other machines in.\n`,
    );
  }
  await app.demo.followKey((apiKey) => {
    if (process.connected) process.send?.({ type: 'demo', apiKey, url, port: config.demoPort });
  });
}

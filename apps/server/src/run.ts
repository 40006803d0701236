import { createApp } from './app.ts';
import { backupCommand } from './commands/backup.ts';
import { type Command, CommandFailed, UsageError } from './commands/command.ts';
import { createOwnerCommand } from './commands/create-owner.ts';
import { doctorCommand } from './commands/doctor.ts';
import { importCommand } from './commands/import.ts';
import { migrateCommand } from './commands/migrate.ts';
import { restoreCommand } from './commands/restore.ts';
import { BadBackup, NothingStored, RestoreRefused } from './features/backup/index.ts';
import { DEMO_LOGINS, DEMO_PASSWORD } from './features/demo/index.ts';
import { systemClock } from './platform/clock.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { ControlStoreTooNew } from './platform/control-store/index.ts';
import { DataDirBusy, DataDirUnusable } from './platform/data-dir-lock.ts';
import { createLog } from './platform/log.ts';
import { RestoreUnfinished } from './platform/stores.ts';
import { TraceStoreTooNew } from './platform/trace-store/index.ts';
import { isUnreachable } from './platform/unreachable.ts';

const COMMANDS: readonly Command[] = [
  migrateCommand,
  backupCommand,
  restoreCommand,
  doctorCommand,
  createOwnerCommand,
  importCommand,
];

const USAGE = `Usage: throughline COMMAND

${listed([
  { usage: 'serve', summary: 'Runs the product: dashboard, API and stores in one process' },
  ...COMMANDS,
])}

Settings come from the environment: PORT, HOST, DATA_DIR, PUBLIC_URL, DATABASE_URL, CLICKHOUSE_URL, SECRET_KEY,
OTLP_GRPC_PORT, SMTP_URL, MAX_DISK_GB, FSYNC, METRICS_TOKEN, TRUST_PROXY, LOG_LEVEL.
`;

function listed(commands: readonly Pick<Command, 'usage' | 'summary'>[]): string {
  return commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`).join('\n');
}

/** Does what the command line says; exits with 2 where it is not understood, with 1 where it cannot be done. */
export async function run(args: readonly string[], production: boolean): Promise<void> {
  const [command, ...flags] = args;
  if (command === 'help' || command === '--help') {
    process.stdout.write(USAGE);
    return;
  }
  try {
    if (command === 'serve' && flags.every((flag) => flag === '--demo')) {
      await serve(readConfig({ production, demo: flags.includes('--demo') }));
      return;
    }
    const { words, found } = commandOf(args);
    if (found === undefined) throw new UsageError('');
    await found.run(args.slice(words), () => readConfig({ production, demo: false }));
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message === '' ? '' : `${error.message}\n\n`}${USAGE}`);
      process.exitCode = 2;
      return;
    }
    const reason = reasonFor(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }
}

/** The command whose words stand first: those of its usage in lower case, before the arguments. */
function commandOf(args: readonly string[]): { readonly words: number; readonly found: Command | undefined } {
  for (const found of COMMANDS) {
    const words = /^[a-z-]+( [a-z][a-z-]*)*/.exec(found.usage)?.[0].split(' ') ?? [];
    if (words.every((word, index) => args[index] === word)) return { words: words.length, found };
  }
  return { words: 0, found: undefined };
}

/** What to tell whoever typed the command, where it is his to mend. */
function reasonFor(error: unknown): string | undefined {
  if (MENDABLE.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  if (isUnreachable(error)) return `A store that the settings name cannot be reached: ${lastCause(error)}`;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE') return `PORT is in use by another program: ${error.message}`;
    if (error.code === 'EACCES' || error.code === 'EROFS') return `Not permitted: ${error.message}`;
    if (error.code === 'ENOSPC') return `The disk is full: ${error.message}`;
  }
  return undefined;
}

const MENDABLE = [
  ConfigError,
  DataDirBusy,
  DataDirUnusable,
  RestoreUnfinished,
  ControlStoreTooNew,
  TraceStoreTooNew,
  CommandFailed,
  BadBackup,
  NothingStored,
  RestoreRefused,
];

function lastCause(error: unknown): string {
  let current = error;
  while (current instanceof Error && current.cause !== undefined) current = current.cause;
  return current instanceof Error ? current.message || String(current) : String(current);
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
  const grpcPort = app.otlpGrpcPort();
  if (grpcPort !== undefined) process.stdout.write(`  OTLP over gRPC is taken on port ${grpcPort}\n`);
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

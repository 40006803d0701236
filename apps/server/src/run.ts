import { InvalidInput, type RunCommand, UsageError } from './commands/command.ts';
import { giveThreads, readConfig } from './platform/config.ts';
import { formatSettingsHelp } from './platform/settings.ts';
import { importQuickly } from './platform/start/fast-resolve-hook.ts';
import { explainStartError } from './platform/start/start-errors.ts';

/** A task that is run once from the command line, in addition to the server or instead of it. */
interface Command {
  /** The command as a user types it: the words of the command, then the arguments. */
  readonly usage: string;
  readonly summary: string;
  /** Loads the code of this command only, because loading the stores and everything that uses them takes a second. */
  load(): Promise<RunCommand>;
}

const COMMANDS: readonly Command[] = [
  {
    usage: 'migrate',
    summary: 'Updates the tables, as each start of the server does',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    usage: 'backup FILE',
    summary: 'Saves all accounts and traces to one file; the server can keep running',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    usage: 'restore FILE',
    summary:
      'Restores a backup into an empty data folder or empty databases, and prints the numbers of restored accounts and traces',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    usage: 'doctor',
    summary: 'Checks settings, data folder and stores, and reports how to fix problems; changes nothing',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    usage:
      'user create-owner --email ADDRESS --name NAME --organization NAME [--slug SLUG] [--password-stdin]',
    summary:
      'Creates an account with an organization; prints a password unless one is given on standard input',
    load: async () => (await import('./commands/create-owner.ts')).createOwner,
  },
  {
    usage: 'plan set --plan PLAN (--organization SLUG | --email ADDRESS)',
    summary: 'Sets the plan of an organization or a solo user, without payment',
    load: async () => (await import('./commands/set-plan.ts')).setPlan,
  },
  {
    usage: 'traces [FILTER] [--project PROJECT] [--since TIME] [--limit COUNT] [--json] [--url URL]',
    summary:
      "Lists the traces of a server that match a filter, such as 'status:5xx duration:>1s'; reads with the access token THROUGHLINE_TOKEN",
    load: async () => (await import('./commands/traces.ts')).listTraces,
  },
  {
    usage: 'import FILE',
    summary:
      'Sends exported traces (one JSON line each; - for standard input) to THROUGHLINE_URL with the key THROUGHLINE_API_KEY; can be repeated without duplicates',
    load: async () => (await import('./commands/import.ts')).importTraces,
  },
];

/** Builds the text of the help only on request, because a normal start does not need the text. */
const formatUsage = () => `Usage: throughline COMMAND

${formatList([
  { usage: 'serve', summary: 'Runs the server: dashboard, API and stores in one process' },
  ...COMMANDS,
])}

Settings come from the environment:

${formatSettingsHelp()}
`;

function formatList(commands: readonly Pick<Command, 'usage' | 'summary'>[]): string {
  return commands.map(({ usage, summary }) => `  ${usage}\n      ${summary}`).join('\n');
}

/** Runs the command line. Exits with code 2 if the command line is not valid, and with code 1 if the command fails. */
export async function run(args: readonly string[], production: boolean): Promise<void> {
  // Only this user can read new files (stores, secret, outbox, backups), whatever the mode of their folder is.
  process.umask(0o077);
  giveThreads();
  const [command, ...flags] = args;
  if (command === 'help' || command === '--help') {
    process.stdout.write(formatUsage());
    return;
  }
  try {
    if (command === 'serve' && flags.every((flag) => flag === '--demo')) {
      const config = readConfig({ production, demo: flags.includes('--demo') });
      const { serve } = await importQuickly(() => import('./serve.ts'));
      await serve(config);
      return;
    }
    const { words, found } = findCommand(args);
    if (found === undefined) throw new UsageError('');
    const runCommand = await importQuickly(() => found.load());
    await runCommand(args.slice(words), () => readConfig({ production, demo: false }));
  } catch (error) {
    if (error instanceof UsageError) {
      const reason = error.message === '' ? '' : `${error.message}\n`;
      process.stderr.write(
        error instanceof InvalidInput ? reason : `${reason}${reason && '\n'}${formatUsage()}`,
      );
      process.exitCode = 2;
      return;
    }
    const reason = explainStartError(error);
    if (reason === undefined) throw error;
    process.stderr.write(`${reason}\n`);
    process.exitCode = 1;
  }
}

/** Finds the command whose words are the first arguments. The words of a command are the lower-case beginning of its usage. */
function findCommand(args: readonly string[]): {
  readonly words: number;
  readonly found: Command | undefined;
} {
  for (const found of COMMANDS) {
    const words = /^[a-z-]+( [a-z][a-z-]*)*/.exec(found.usage)?.[0].split(' ') ?? [];
    if (words.every((word, index) => args[index] === word)) return { words: words.length, found };
  }
  return { words: 0, found: undefined };
}

import { parseArgs } from 'node:util';
import type { Config } from '../platform/config.ts';
import { OperatorError } from '../platform/operator-error.ts';

/** The command failed. The message contains the reason, and how to fix the problem. */
export class CommandFailed extends OperatorError {
  override readonly name = 'CommandFailed';
}

export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

/** A usage error for which only the message is printed, without the usage of all commands. */
export class InvalidInput extends UsageError {
  override readonly name = 'InvalidInput';
}

/**
 * Runs a command with the arguments after the command's name.
 * @throws UsageError, CommandFailed
 */
export type RunCommand = (args: readonly string[], readSettings: () => Config) => Promise<void>;

/** Returns the file that is the only argument of a command. @throws UsageError if there is not exactly one */
export function readFileArgument(args: readonly string[]): string {
  const [file, ...more] = args;
  if (file === undefined || file.startsWith('--') || more.length > 0) {
    throw new UsageError('Give exactly one file name.');
  }
  return file;
}

/**
 * Parses a command's options: options with a value (`texts`) and options without a value (`switches`). @throws UsageError for other
 * arguments
 */
export function readOptions<Text extends string, Switch extends string>(
  args: readonly string[],
  names: { readonly texts: readonly Text[]; readonly switches: readonly Switch[] },
): { readonly [name in Text]?: string } & { readonly [name in Switch]?: boolean } {
  const options = Object.fromEntries([
    ...names.texts.map((name) => [name, { type: 'string' }] as const),
    ...names.switches.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  try {
    const { values } = parseArgs({ args: [...args], options, strict: true, allowPositionals: false });
    // Strict parsing accepts only declared options, so the values have the declared types.
    return values as ReturnType<typeof readOptions<Text, Switch>>;
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/**
 * Separates a command's options from its other arguments. An argument that begins with one dash, such as `-user:19`, is not an option.
 * After `--`, no argument is an option.
 */
export function splitArguments(
  args: readonly string[],
  textOptions: readonly string[],
): { readonly options: string[]; readonly others: string[] } {
  const options: string[] = [];
  const others: string[] = [];
  const left = [...args];
  for (let arg = left.shift(); arg !== undefined; arg = left.shift()) {
    if (arg === '--') {
      others.push(...left);
      break;
    }
    if (!arg.startsWith('--')) {
      others.push(arg);
      continue;
    }
    options.push(arg);
    const [value] = left;
    if (textOptions.includes(arg.slice(2)) && value !== undefined) options.push(left.shift() ?? value);
  }
  return { options, others };
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { storeSettings } from '../stores/stores-folder.ts';
import { MAIN } from './process.ts';
import { processArgs, processEnv } from './process-env.ts';

/** Exit code and output of a command. */
export interface CommandResult {
  /** The exit code, or the name of the signal that ended the command. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `throughline …` in a separate process, from its sources. */
export async function runCommand(
  args: readonly string[],
  given: {
    readonly dataDir: string;
    readonly env?: Readonly<Record<string, string>>;
    /** The standard input. */
    readonly input?: string;
  },
): Promise<CommandResult> {
  const child = spawn(process.execPath, [...processArgs, MAIN, ...args], {
    env: { ...processEnv, DATA_DIR: given.dataDir, ...storeSettings(given.dataDir), ...given.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(given.input ?? '');
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code: code ?? signal, stdout, stderr };
}

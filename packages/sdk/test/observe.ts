import vm from 'node:vm';

type Log = (...values: unknown[]) => unknown;
type Cut = (value: unknown) => unknown;
export type Program = (log: Log, useFuel: () => boolean, cut: Cut) => Promise<unknown>;

/** The file name that stacks show for the program. */
export const programFile = '/project/program.js';

/** Compiles source to a program. The source is that of a function with the parameters `log`, `useFuel` and `cut`. */
export function compileProgram(code: string): Program {
  const program: unknown = vm.runInThisContext(code, { filename: programFile });
  if (typeof program !== 'function') throw new Error('no program');
  return async (log, useFuel, cut) => program(log, useFuel, cut);
}

/**
 * Runs a program while a loop of microtasks increments a counter. Returns everything that can be observed: the values that the program
 * logs, each with the state of the counter.
 */
export async function observe(program: Program): Promise<string[]> {
  const seen: string[] = [];
  let ticks = 0;
  let ended = false;
  let fuel = 150;
  const note: Log = (...values) => {
    seen.push(`${ticks}: ${values.map(shown).join(' ')}`);
    return values[0];
  };
  const log: Log = (...values) => {
    // A loop may never end, because its body can assign to a variable with the loop variable's name.
    if (seen.length > 5000) throw new RangeError('said too much');
    return note(...values);
  };
  /** Throws after a number of calls, so that each program ends. Returns true for every third call, for use as a condition. */
  const useFuel = (): boolean => {
    if (--fuel < 0) throw new RangeError('out of fuel');
    return fuel % 3 === 0;
  };
  const tick = async (): Promise<void> => {
    while (!ended && ticks < 2000) {
      ticks++;
      await null;
    }
  };
  const ticking = tick();
  const stopNoting = noteRejections(note);
  try {
    note('end', await program(log, useFuel, cut));
  } catch (error) {
    note('failed', error);
  }
  // Rejections may be handled in a later turn of the event loop.
  for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  stopNoting();
  ended = true;
  await ticking;
  return seen;
}

/** Logs each rejection that is handled late or not at all. All present listeners are removed until the returned function is called. */
function noteRejections(note: Log): () => void {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const unhandled = (reason: unknown) => note('unhandled', reason);
  const handled = () => note('handled late');
  process.on('unhandledRejection', unhandled);
  process.on('rejectionHandled', handled);
  return () => {
    process.off('unhandledRejection', unhandled);
    process.off('rejectionHandled', handled);
    for (const listener of others) process.on('unhandledRejection', listener);
  };
}

const cut: Cut = (value) => (typeof value === 'string' ? value.slice(0, 50) : value);

function shown(value: unknown): string {
  if (value instanceof Error) return `${value.message} ${readHead(value)} ${frames(value).join(' < ')}`;
  if (typeof value === 'function') return `function ${value.name}/${value.length}`;
  if (typeof value === 'object' && value !== null) return JSON.stringify(value) ?? 'object';
  return `${typeof value} ${String(value)}`;
}

/** Returns the head of the stack. It contains the error's message at the time when the stack was first read. */
function readHead({ stack = '' }: Error): string {
  return stack.slice(0, stack.search(/\n +at /));
}

/** Lists the function names and line numbers in an error's stack. Includes only frames of the program. */
function frames(error: Error): string[] {
  const lines = (error.stack ?? '').split('\n').filter((line) => line.includes(programFile));
  return lines.map((line) => line.trim().replace(/:(\d+):\d+\)?$/, ':$1'));
}

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** Number of runs before the measurement, in which V8 compiles the code. */
const WARM_UP = 10;
const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Measures the code of this checkout and of another checkout in turn. `program` receives a checkout's folder, and responds to each message
 * with measurements. Prints the minimum of all runs, which other work on the machine affects least, and the ratio of the two checkouts.
 */
export async function compareCheckouts<Name extends string>(
  program: URL,
  names: readonly Name[],
  {
    beside,
    runs,
    parse,
  }: {
    readonly beside: string | undefined;
    readonly runs: number;
    readonly parse: (message: unknown) => Readonly<Record<Name, number>>;
  },
): Promise<void> {
  const own = await start(program, ROOT);
  const other = beside === undefined ? undefined : await start(program, resolve(beside));
  const measure = async (child: ChildProcess) => {
    const answered = once(child, 'message');
    child.send('measure');
    const [figures] = await answered;
    return parse(figures);
  };
  const least = new Map<Name, { own: number; other: number }>(
    names.map((name) => [name, { own: Number.POSITIVE_INFINITY, other: Number.POSITIVE_INFINITY }]),
  );
  for (let run = 0; run < WARM_UP + runs; run++) {
    const figures = await measure(own);
    const others = other && (await measure(other));
    if (run < WARM_UP) continue;
    for (const [name, known] of least) {
      known.own = Math.min(known.own, figures[name]);
      known.other = Math.min(known.other, others?.[name] ?? Number.POSITIVE_INFINITY);
    }
  }
  own.disconnect();
  other?.disconnect();
  for (const [name, figures] of least) {
    const compared =
      other === undefined
        ? ''
        : `, ${(figures.own / figures.other).toFixed(2)} times the other's ${figures.other.toFixed(1)} µs`;
    console.log(`${name}: ${figures.own.toFixed(1)} µs${compared}`);
  }
}

async function start(program: URL, root: string): Promise<ChildProcess> {
  const child = fork(program, [root]);
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error(`the code of ${root} could not be measured`)),
  );
  await Promise.race([once(child, 'message'), ended]);
  return child;
}

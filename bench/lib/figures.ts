import { writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';

/** A row of results: the median over all rounds, and the bound that the value must meet, such as `>= 20000`. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  readonly must?: string;
  readonly ok?: boolean;
}

/** Computes the median of the measured values and compares it with the bound. */
export function figure(name: string, unit: string, measured: readonly number[], must?: string): Figure {
  const sorted = [...measured].sort((a, b) => a - b);
  const value = sorted[Math.floor((sorted.length - 1) / 2)];
  const [min] = sorted;
  const max = sorted.at(-1);
  if (value === undefined || min === undefined || max === undefined)
    throw new Error(`${name} was not measured`);
  return { name, value, min, max, unit, ...(must === undefined ? {} : { must, ok: keeps(value, must) }) };
}

function keeps(value: number, must: string): boolean {
  const [sign, bound = ''] = must.split(' ');
  if (sign === '<=') return value <= Number(bound);
  if (sign === '>=') return value >= Number(bound);
  throw new Error(`a bound is "<= N" or ">= N", not ${JSON.stringify(must)}`);
}

/** Prints the figures as a table. With `--json FILE` among the arguments, also writes them to that file, followed by `details`. */
export async function report(
  bench: string,
  figures: readonly Figure[],
  args: readonly string[],
  details: readonly Figure[] = [],
): Promise<void> {
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryBytes: totalmem(),
    node: process.version,
  };
  process.stdout.write(`\n${bench} on ${machine.cores} × ${machine.cpu}, Node ${machine.node}\n\n`);
  for (const { name, value, min, max, unit, must, ok } of figures) {
    const bound = must === undefined ? '' : `  must be ${must}${ok === true ? '' : '  MISSED'}`;
    process.stdout.write(
      `${name.padEnd(64)} ${show(value).padStart(12)} ${unit}  (${show(min)} to ${show(max)})${bound}\n`,
    );
  }
  const at = args.indexOf('--json');
  const file = args[at + 1];
  if (at >= 0 && file !== undefined) {
    await writeFile(
      file,
      `${JSON.stringify({ bench, machine, figures: [...figures, ...details] }, null, 2)}\n`,
    );
  }
}

function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

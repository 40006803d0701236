import { type Figure, figure } from './figures.ts';

/** Milliseconds that a fixed loop takes here and now: machines differ, and so does one machine from minute to minute. */
export function calibrationMs(): number {
  const startMs = performance.now();
  let mixed = 1;
  for (let turn = 0; turn < 20_000_000; turn++) mixed = Math.imul(mixed ^ turn, 0x85eb_ca6b);
  if (mixed === 0) throw new Error('the loop was optimised away');
  return performance.now() - startMs;
}

/** Measures milliseconds, round by round, and beside each round the calibration loop: a figure that means something on another machine too. */
export async function calibrated(
  name: string,
  rounds: number,
  measureMs: () => number | Promise<number>,
  must: string,
): Promise<Figure[]> {
  const measured: number[] = [];
  const ratios: number[] = [];
  calibrationMs();
  for (let round = 0; round < rounds; round++) {
    const ms = await measureMs();
    measured.push(ms);
    ratios.push(ms / calibrationMs());
  }
  return [figure(name, 'ms', measured, must), figure(`${name}, by a fixed loop beside it`, 'ratio', ratios)];
}

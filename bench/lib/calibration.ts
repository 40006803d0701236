import { type Figure, figure } from './figures.ts';

/**
 * Measures how many milliseconds a fixed loop takes now. The speed differs between machines, and on the same machine from minute to minute.
 */
export function calibrationMs(): number {
  const startMs = performance.now();
  let mixed = 1;
  for (let turn = 0; turn < 20_000_000; turn++) mixed = Math.imul(mixed ^ turn, 0x85eb_ca6b);
  if (mixed === 0) throw new Error('the loop was optimised away');
  return performance.now() - startMs;
}

/**
 * Runs `measureMs` in several rounds, and the calibration loop after each round. Returns the milliseconds, and their ratio to the loop's
 * time, which can be compared between machines.
 */
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

import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** True in `npm run test:long`, false in `npm test`. */
    thorough: boolean | undefined;
  }
}

/**
 * True in `npm run test:long`: use `test.runIf(isThorough())` for a test that takes too long for `npm test`.
 */
export function isThorough(): boolean {
  return inject('thorough') === true;
}

/**
 * Returns how often to repeat a test that proves more when it is repeated: `usually` in `npm test`,
 * `thoroughly` in `npm run test:long`.
 */
export function repetitions(given: { readonly usually: number; readonly thoroughly: number }): number {
  return isThorough() ? given.thoroughly : given.usually;
}

/**
 * Picks rows of a table of tests: all rows in `npm run test:long`, otherwise `usually` evenly spaced rows.
 */
export function pickRows<Row extends unknown[] | [unknown]>(
  rows: readonly Row[],
  given: { readonly usually: number },
): Row[];
export function pickRows<Row>(rows: readonly Row[], given: { readonly usually: number }): Row[];
export function pickRows<Row>(rows: readonly Row[], { usually }: { readonly usually: number }): Row[] {
  if (isThorough() || rows.length <= usually) return [...rows];
  return Array.from(
    { length: usually },
    (_row, index) => rows[Math.floor((index * rows.length) / usually)] as Row,
  );
}

import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether the tests run as `npm run test:long` runs them; undefined as `npm test` does. */
    thorough: boolean | undefined;
  }
}

/** How often a test repeats what more repetition makes surer: `usually` in `npm test`, `thoroughly` in `npm run test:long`. */
export function repetitions(given: { readonly usually: number; readonly thoroughly: number }): number {
  return inject('thorough') === true ? given.thoroughly : given.usually;
}

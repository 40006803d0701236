import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow to 1.6 times what is in use from one collection to the next, or as V8 chooses: up to four times. Nine bodies of 55 MB then take
 * 200 MB less; ordinary batches would take up to a tenth more processor time.
 */
export function keepHeapSmall(isSmall: boolean): void {
  setFlagsFromString(`--heap-growing-percent=${isSmall ? 60 : 0}`);
}

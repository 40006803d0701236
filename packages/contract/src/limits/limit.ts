/** One limit of a request that sends traces. */
export interface RequestLimit {
  readonly max: number;
  /** Text after the number, as in "The body has more than 5,000,000 values." */
  readonly what: string;
  readonly remedy: string;
}

export const KB = 1024;
export const MB = 1024 * KB;

/** Formats a limit's number for people: `8 MB`, `5,000,000`. */
export function showMax(name: string, max: number): string {
  if (!name.endsWith('Bytes')) return max.toLocaleString('en-US');
  return max < MB ? `${max / KB} kB` : `${max / MB} MB`;
}

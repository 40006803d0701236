/** How much one request that sends traces may hold of something. */
export interface RequestLimit {
  readonly max: number;
  /** Behind the number, in a sentence such as "The body has more than 5,000,000 values." */
  readonly what: string;
  readonly remedy: string;
}

export const KB = 1024;
export const MB = 1024 * KB;

/** The number of a limit as people write it: `8 MB`, `5,000,000`. */
export function showMax(name: string, max: number): string {
  if (!name.endsWith('Bytes')) return max.toLocaleString('en-US');
  return max < MB ? `${max / KB} kB` : `${max / MB} MB`;
}

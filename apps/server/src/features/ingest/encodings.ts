/** How a body may be packed, by what `content-encoding` says. */
export const ENCODINGS = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  br: 'br',
  zstd: 'zstd',
} as const;
export type Encoding = (typeof ENCODINGS)[keyof typeof ENCODINGS];

/** Undefined for one that is not known. */
export function encodingNamed(name: string): Encoding | undefined {
  return Object.entries(ENCODINGS).find(([known]) => known === name)?.[1];
}

/** Supported compressions by their `content-encoding` name. */
export const ENCODINGS = {
  identity: 'identity',
  gzip: 'gzip',
  'x-gzip': 'gzip',
  br: 'br',
  zstd: 'zstd',
} as const;
export type Encoding = (typeof ENCODINGS)[keyof typeof ENCODINGS];

export function findEncoding(name: string): Encoding | undefined {
  return Object.entries(ENCODINGS).find(([known]) => known === name)?.[1];
}

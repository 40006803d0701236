import type { SourceFile } from './source-rules.ts';

/**
 * Folders in which code handles bytes itself, because speed or memory requires it. Each folder has a README with its invariants, its tests
 * and its benchmark.
 */
export const HOT_PATHS: readonly string[] = [
  'apps/dashboard/src/features/traces/load',
  'apps/dashboard/src/visuals/json',
  'apps/server/src/features/ingest/decode',
  'apps/server/src/features/ingest/large-bodies',
  'apps/server/src/features/ingest/unpack',
  'apps/server/src/features/otlp/decode',
  'apps/server/src/platform/buffers',
  'apps/server/src/platform/json-bounds',
  'apps/server/src/platform/trace-store/rows',
  'packages/contract/src/instants',
  'packages/contract/src/redaction',
  'packages/sdk/src/instrument/parsers',
  'packages/sdk/src/loaders/cache',
  'packages/sdk/src/positions',
  'packages/sdk/src/record/snapshot',
  'packages/sdk/src/record/writer',
  'packages/sdk/src/send/encode',
  'packages/sdk/src/send/queue',
  'packages/sdk/src/send/transport/thread',
];

/** Headings that the README of a hot path must have. */
export const HOT_PATH_HEADINGS = ['## What must stay true', '## Tests and speed'] as const;

/** Other files that can handle bytes, because they read a binary format. Speed does not matter there. */
export const BYTE_FORMATS: Readonly<Record<string, string>> = {
  'apps/server/src/features/backup/frames.ts':
    'a backup: lines of JSON, each followed by the bytes that it announces',
  'apps/server/src/platform/control-store/shipped-folder.ts': 'the packed files of an empty control store',
  'apps/server/src/platform/start/secrets.ts': 'AES-GCM: nonce, authentication tag, encrypted text',
};

const PRODUCT = /^(apps\/(server|dashboard)|packages\/(sdk|contract))\/src\//;

/**
 * Matches code that handles bytes itself, such as `new Uint8Array`, `.readUInt32` and `Atomics.`. Does not match `subarray(0, n)`, which
 * only shortens, and `charCodeAt(0)`, which reads one character.
 */
const BYTES =
  /\.charCodeAt\((?!0\))|(?<!\.)\bcharCodeAt\(\w+, (?!0\))|\bnew (?:Uint(?:8|16|32)|Int(?:8|16|32))Array\b|\bUint(?:8|16|32)Array\.(?:from|of)\b|\bnew (?:Shared)?ArrayBuffer\b|\bnew DataView\b|\.subarray\((?!0, )|\.(?:read|write)U?Int(?:8|16|32)|\ballocUnsafe(?:Slow)?\(|\.buffer\b|\.byteOffset\b|\.transfer\(|\bcopyBytesFrom\(|\bAtomics\./g;

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/.*$/gm;

/** Returns the places in which a file handles bytes itself. */
export function listByteHandling({ path, text }: SourceFile): string[] {
  if (!PRODUCT.test(path) || /\.(test|fixture)\.tsx?$|\/fixtures\//.test(path)) return [];
  return [...text.replace(COMMENTS, '').matchAll(BYTES)].map(([found]) => found);
}

/**
 * Returns the places where a file handles bytes itself (byte arithmetic, pools, detached buffers), although the file is neither in a hot
 * path nor in `BYTE_FORMATS`. All other code should be plain.
 */
export function findBytesOutsideHotPaths(file: SourceFile): string[] {
  if (HOT_PATHS.some((folder) => file.path.startsWith(`${folder}/`)) || file.path in BYTE_FORMATS) return [];
  return listByteHandling(file).map((found) => `${file.path}: ${found} outside a hot path`);
}

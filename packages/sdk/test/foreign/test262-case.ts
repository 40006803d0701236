import { basename } from 'node:path';

export interface Test262Case {
  readonly path: string;
  readonly source: string;
  readonly includes: readonly string[];
  readonly isModule: boolean;
  readonly isAsync: boolean;
  readonly isRaw: boolean;
  /** The modes in which the test runs: sloppy, strict or both. */
  readonly strictness: readonly ('sloppy' | 'strict')[];
}

/**
 * Reads the required fields of the front matter, which is between `/*---` and the end of that comment. Returns undefined for a file that is
 * not a test.
 */
export function readCase(path: string, source: string): Test262Case | undefined {
  if (basename(path).includes('_FIXTURE')) return undefined;
  const front = /\/\*---([\s\S]*?)---\*\//.exec(source)?.[1];
  if (front === undefined) return undefined;
  const flags = parseList(front, 'flags');
  const isModule = flags.includes('module');
  const isRaw = flags.includes('raw');
  const isAsync = flags.includes('async');
  const includes = isRaw
    ? []
    : ['assert.js', 'sta.js', ...(isAsync ? ['doneprintHandle.js'] : []), ...parseList(front, 'includes')];
  return {
    path,
    source,
    includes,
    isModule,
    isAsync,
    isRaw,
    strictness: listStrictness(flags, isModule || isRaw),
  };
}

function listStrictness(flags: readonly string[], isOnce: boolean): Test262Case['strictness'] {
  if (isOnce || flags.includes('noStrict')) return ['sloppy'];
  return flags.includes('onlyStrict') ? ['strict'] : ['sloppy', 'strict'];
}

/** Reads a list in the form `key: [a, b]`, or with one item per line. */
function parseList(front: string, key: string): string[] {
  const inline = new RegExp(`^\\s*${key}:\\s*\\[([^\\]]*)\\]`, 'm').exec(front)?.[1];
  if (inline !== undefined)
    return inline
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  const lines = new RegExp(`^\\s*${key}:\\s*\\n((?:\\s*- .*\\n?)+)`, 'm').exec(front)?.[1] ?? '';
  return lines
    .split('\n')
    .map((line) => line.replace(/^\s*- /, '').trim())
    .filter((item) => item !== '');
}

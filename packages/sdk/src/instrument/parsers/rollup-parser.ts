import { kind } from './layout.ts';
import { loadBinding } from './native-binding.ts';
import { PARSER_PROBE } from './parser-probe.ts';
import { Tree } from './tree.ts';

/**
 * Hash of the tree layout that this code was written for. Rollup's parser, called as `parse(source, allowReturnOutsideFunction, jsx)` as in
 * Rollup's own code, returns the tree as bytes in an undocumented layout. So the tree of {@link PARSER_PROBE} is hashed, and
 * a parser version whose hash differs is not used.
 */
const KNOWN_LAYOUT = 0x717e4ffc;

export interface NativeParser {
  /** Returns the program's tree; undefined if this parser cannot read the source, or reads it differently from Node. */
  parse(source: string, jsx: boolean): Tree | undefined;
}

type Parse = (source: string, allowReturnOutsideFunction: boolean, jsx: boolean) => unknown;

/**
 * Returns Rollup's parser. Returns undefined if it is not installed for this machine, or if the layout of the parser's trees is unknown.
 */
export function loadRollupParser(): NativeParser | undefined {
  const binding = loadBinding('@rollup/rollup-');
  if (!hasParse(binding)) return undefined;
  const { parse } = binding;
  return digestLayout(parse) === KNOWN_LAYOUT
    ? { parse: (source, jsx) => parseTree(parse, source, jsx) }
    : undefined;
}

/** Returns a hash (FNV-1a over words) of the tree of {@link PARSER_PROBE}. */
function digestLayout(parse: Parse): number {
  let digest = 0x811c9dc5;
  try {
    for (const word of parseWords(parse, PARSER_PROBE, false) ?? [])
      digest = Math.imul(digest ^ word, 0x01000193);
  } catch {
    return 0;
  }
  return digest >>> 0;
}

/**
 * Matches sources that this parser reads differently from Node, or for which it prints to standard error: `with` statements, HTML-like
 * comments (scripts only), a byte order mark, and line terminators that only JavaScript has.
 */
const misread =
  /(?:^|[;:{})]|\*\/|\b(?:do|else))\s*with\s*(?:\(|\/[*/])|<!--|(?:^|\*\/)\s*-->|^\uFEFF|[\u2028\u2029]/m;

/**
 * Checks with plain searches if a source can match the pattern `misread`. The searches are many times faster than the pattern, and nearly
 * every source has no match.
 */
function mayBeMisread(source: string): boolean {
  return (
    source.includes('with') ||
    source.includes('<!--') ||
    source.includes('-->') ||
    source.startsWith(byteOrderMark) ||
    source.includes('\u2028') ||
    source.includes('\u2029')
  );
}

const byteOrderMark = '\uFEFF';

function parseTree(parse: Parse, source: string, jsx: boolean): Tree | undefined {
  if (mayBeMisread(source) && misread.test(source)) return undefined;
  const words = parseWords(parse, source, jsx);
  return words?.[0] === kind.Program ? new Tree(words, source) : undefined;
}

function parseWords(parse: Parse, source: string, jsx: boolean): Uint32Array | undefined {
  const bytes = parse(source, true, jsx);
  if (!(bytes instanceof Uint8Array) || bytes.byteOffset % 4 !== 0) return undefined;
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

function hasParse(value: unknown): value is { readonly parse: Parse } {
  return typeof value === 'object' && value !== null && 'parse' in value && typeof value.parse === 'function';
}

import { createRequire } from 'node:module';
import { kind } from './layout.ts';
import { Tree } from './tree.ts';

/**
 * Rollup's parser as it is called from Rollup's own code: `parse(source, allowReturnOutsideFunction, jsx)` gives the tree's bytes. No public door
 * to it exists that does not make objects of it first, so it is used in this very version only; in any other, in a host that overrides ours,
 * the slower parser does all.
 */
const knownVersion = '4.68.7';

export interface NativeParser {
  /** The program's tree; undefined for what it cannot parse, or takes for something else than JavaScript does. */
  parse(source: string, jsx: boolean): Tree | undefined;
}

type Parse = (source: string, allowReturnOutsideFunction: boolean, jsx: boolean) => unknown;

/** Undefined where it cannot be had on this machine. */
export function loadRollupParser(): NativeParser | undefined {
  for (const name of bindingNames()) {
    const parse = parseOf(name);
    if (parse !== undefined) return { parse: (source, jsx) => treeOf(parse, source, jsx) };
  }
  return undefined;
}

/** Its native package for this machine. Rollup itself first asks Node for a report of the process, which takes longer than all else. */
function bindingNames(): string[] {
  const { platform, arch } = process;
  switch (platform) {
    case 'linux':
      // Only the one that fits the machine's C library is installed.
      return arch === 'arm'
        ? ['linux-arm-gnueabihf', 'linux-arm-musleabihf']
        : [`linux-${arch}-gnu`, `linux-${arch}-musl`];
    case 'win32':
      return [`win32-${arch}-msvc`, `win32-${arch}-gnu`];
    default:
      return [`${platform}-${arch}`];
  }
}

function parseOf(binding: string): Parse | undefined {
  try {
    const load = createRequire(import.meta.url);
    // Where packages are strictly apart, Rollup's own are seen from Rollup alone.
    const fromRollup = createRequire(load.resolve('rollup/package.json'));
    const manifest: unknown = fromRollup(`@rollup/rollup-${binding}/package.json`);
    if (!hasVersion(manifest) || manifest.version !== knownVersion) return undefined;
    const native: unknown = fromRollup(`@rollup/rollup-${binding}`);
    return hasParse(native) ? native.parse : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What it reads otherwise than Node does, or complains of on standard error: `with` statements, comments as in HTML, which only scripts may have, a byte
 * order mark, which it does not count, and the line ends that only JavaScript knows.
 */
const misread =
  /(?:^|[;:{})]|\*\/|\b(?:do|else))\s*with\s*(?:\(|\/[*/])|<!--|(?:^|\*\/)\s*-->|^\uFEFF|[\u2028\u2029]/m;

/** A look for each alone is many times quicker than the pattern, and nearly every source has none. */
function mayBeMisread(source: string): boolean {
  return (
    source.includes('with') ||
    source.includes('<!--') ||
    source.includes('-->') ||
    source.charCodeAt(0) === byteOrderMark ||
    source.includes('\u2028') ||
    source.includes('\u2029')
  );
}

const byteOrderMark = 0xfeff;

function treeOf(parse: Parse, source: string, jsx: boolean): Tree | undefined {
  if (mayBeMisread(source) && misread.test(source)) return undefined;
  const bytes = parse(source, true, jsx);
  if (!(bytes instanceof Uint8Array) || bytes.byteOffset % 4 !== 0) return undefined;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
  return words[0] === kind.Program ? new Tree(words, source) : undefined;
}

function hasVersion(value: unknown): value is { readonly version: unknown } {
  return typeof value === 'object' && value !== null && 'version' in value;
}

function hasParse(value: unknown): value is { readonly parse: Parse } {
  return typeof value === 'object' && value !== null && 'parse' in value && typeof value.parse === 'function';
}

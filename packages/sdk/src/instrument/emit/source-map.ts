import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type remapping from '@jridgewell/remapping';
import type { SourceMapInput, TraceMap } from '@jridgewell/trace-mapping';
import type MagicString from 'magic-string';
import type { SourceMap } from 'magic-string';
import type { Edits } from './edits.ts';
import { AuthorsTexts, hasHoistedNames } from './hoisted-names.ts';

const load = createRequire(import.meta.url);

/** Libraries that are loaded on first use: most hosts have no source maps, and loading these libraries at start would take 10 ms. */
const libraries = {
  mapping: (): typeof import('@jridgewell/trace-mapping') => load('@jridgewell/trace-mapping'),
  remapping: (): typeof remapping => load('@jridgewell/remapping'),
  MagicString: (): typeof MagicString => load('magic-string'),
};

/** Files and source maps larger than this are not read as a whole. Reading a bundle of this size with its map takes 0.2 s. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
const mapComments = /^[ \t]*\/\/[#@] ?sourceMappingURL=([^\s'"]+)[ \t]*$/gm;

/** Reads the source map that a comment in the source names; see {@link readMapJson}. */
export function readInputMap(source: string, file: string): TraceMap | undefined {
  try {
    const json = readMapJson(source, file);
    return json === undefined ? undefined : new (libraries.mapping().TraceMap)(json, file);
  } catch {
    return undefined;
  }
}

/**
 * Reads the source map that the last `sourceMappingURL` comment of the source names: a data URL or a file. Returns undefined if there
 * is no such comment, the data URL has no comma, or the map is too large.
 * @throws if the map cannot be read
 */
export function readMapJson(source: string, file: string): string | undefined {
  const url = findMapUrl(source);
  return url === undefined ? undefined : readMapAt(url, file);
}

/** Returns the URL in the last `sourceMappingURL` comment of the source. */
export function findMapUrl(source: string): string | undefined {
  if (!source.includes('sourceMappingURL=')) return undefined;
  return [...source.matchAll(mapComments)].at(-1)?.[1];
}

/**
 * Reads the source map that the source of `file` names as `url`. Returns undefined if the map is too large or a data URL has no comma.
 * @throws if the map cannot be read
 */
export function readMapAt(url: string, file: string): string | undefined {
  const json = url.startsWith('data:') ? decodeDataUrl(url) : readMapFile(resolveMapPath(url, file));
  return json !== undefined && json.length <= MAX_READ_BYTES ? json : undefined;
}

function readMapFile(path: string): string | undefined {
  return isTooLarge(path) ? undefined : readFileSync(path, 'utf8');
}

/** True if there is a file at the path, and the file is too large to be read as a whole. */
export function isTooLarge(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_READ_BYTES;
}

/** Converts the URL of a source map that is not inline to a path. */
export function resolveMapPath(url: string, file: string): string {
  return url.startsWith('file:') ? fileURLToPath(url) : resolve(dirname(file), decodeURIComponent(url));
}

function decodeDataUrl(url: string): string | undefined {
  const comma = url.indexOf(',');
  if (comma < 0) return undefined;
  const data = url.slice(comma + 1);
  return url.slice(0, comma).endsWith(';base64')
    ? Buffer.from(data, 'base64').toString('utf8')
    : decodeURIComponent(data);
}

/** Parses a source map that was passed with the source. Returns undefined if the map is invalid. */
export function readMap(map: SourceMapInput, file: string): TraceMap | undefined {
  try {
    return new (libraries.mapping().TraceMap)(map, file);
  } catch {
    return undefined;
  }
}

/** True if a segment of the map begins at exactly this position. `line` counts from 1, `column` from 0. */
export function isMarked(map: TraceMap, line: number, column: number): boolean {
  return libraries.mapping().traceSegment(map, line - 1, column)?.[0] === column;
}

/**
 * Converts a position in `file` to the position in the author's source. Returns undefined if the map does not contain the position in
 * `file`. `line` counts from 1, `column` from 0.
 */
export function findAuthorsPlace(
  map: TraceMap,
  file: string,
  line: number,
  column: number,
): { file: string; line: number } | undefined {
  const found = libraries.mapping().originalPositionFor(map, { line, column });
  if (found.source === null || found.line === null) return undefined;
  return { file: resolveSourcePath(found.source, file), line: found.line };
}

const FUNCTION_NAME = /^(?:async\s+)?function\b[\s*]*([\p{ID_Start}$_][\p{ID_Continue}$]*)/u;

/**
 * Finds the name of a function in the author's source text, because a minifier may have removed the name from the code. Returns undefined
 * if the map has no source text for the position, or if no function with a name begins there. `line` counts from 1, `column` from 0.
 */
export function findAuthorsFunctionName(map: TraceMap, line: number, column: number): string | undefined {
  const found = libraries.mapping().originalPositionFor(map, { line, column });
  if (found.source === null) return undefined;
  const text = libraries.mapping().sourceContentFor(map, found.source);
  if (text === null) return undefined;
  let start = 0;
  for (let before = 1; before < found.line; before++) start = text.indexOf('\n', start) + 1;
  return FUNCTION_NAME.exec(text.slice(start + found.column, start + found.column + MAX_HEAD))?.[1];
}

/** Number of characters from a function's start in which the function's name is searched for. */
const MAX_HEAD = 200;

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/**
 * Finds the author's names of identifiers in `source`, by offset. Returns null if the map contains no names and `source` contains no names
 * made by Parcel.
 */
export function findAuthorsNames(map: TraceMap, source: string): ReadonlyMap<number, string> | null {
  const isHoisted = map.names.some(hasHoistedNames) || hasHoistedNames(source);
  if (map.names.length === 0 && !isHoisted) return null;
  const texts = isHoisted ? new AuthorsTexts(map) : undefined;
  const found = new Map<number, string>();
  let start = 0;
  for (const segments of libraries.mapping().decodedMappings(map)) {
    for (const segment of segments) {
      if (segment.length === 1) continue;
      const offset = start + segment[0];
      const own = segment.length === 5 ? map.names[segment[4]] : undefined;
      const name = texts === undefined ? own : texts.authorsName(own, source, offset, segment);
      if (name !== undefined && IDENTIFIER.test(name)) found.set(offset, name);
    }
    const end = source.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return found;
}

/** Converts the name of a source in a map to a path. */
export function resolveSourcePath(source: string, file: string): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  // webpack://name/./src/pay.ts
  const local = source.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '');
  return isAbsolute(local) ? local : resolve(dirname(file), local);
}

/** Builds a source map from the instrumented source to the original one. */
export function mapOfEdits(source: string, edits: Edits, file: string): SourceMap {
  const changed = new (libraries.MagicString())(source);
  edits.eachPiece((position, text) => {
    changed.appendLeft(position, text);
  });
  return changed.generateMap({ source: file, hires: 'boundary', includeContent: false });
}

/**
 * Formats the comment that is put at the end of the instrumented source and contains its source map. The map leads to the author's source
 * if `input` is known.
 */
export function mapComment(own: SourceMap, input: TraceMap | undefined): string {
  const whole = input === undefined ? own : libraries.remapping()([own.toString(), input], () => null);
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(whole.toString()).toString('base64')}`;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type remapping from '@jridgewell/remapping';
import type { TraceMap } from '@jridgewell/trace-mapping';
import type MagicString from 'magic-string';
import type { Edits } from './edits.ts';

const load = createRequire(import.meta.url);

/** Loaded when first asked for: most hosts have no source maps and want none, and would start 10 ms later with these. */
const libraries = {
  mapping: (): typeof import('@jridgewell/trace-mapping') => load('@jridgewell/trace-mapping'),
  remapping: (): typeof remapping => load('@jridgewell/remapping'),
  MagicString: (): typeof MagicString => load('magic-string'),
};

/** Of a few megabytes at most: a larger one costs the host's start more than right line numbers are worth. */
const maxMapBytes = 32 * 1024 * 1024;
const mapComment = /^[ \t]*\/\/[#@] ?sourceMappingURL=([^\s'"]+)[ \t]*$/gm;

/** The map that the source names in its last such comment: a data URL or a file. Undefined when there is none that can be read. */
export function inputMap(source: string, file: string): TraceMap | undefined {
  if (!source.includes('sourceMappingURL=')) return undefined;
  const url = [...source.matchAll(mapComment)].at(-1)?.[1];
  if (url === undefined) return undefined;
  try {
    const json = url.startsWith('data:') ? decodeDataUrl(url) : readFileSync(mapPath(url, file), 'utf8');
    return json === undefined || json.length > maxMapBytes
      ? undefined
      : new (libraries.mapping().TraceMap)(json, file);
  } catch {
    return undefined;
  }
}

function mapPath(url: string, file: string): string {
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

/** The author's file and line for a place in `file`; the place itself where the map says nothing. `line` from 1, `column` from 0. */
export function authorsPlace(
  map: TraceMap | undefined,
  file: string,
  line: number,
  column: number,
): { file: string; line: number } {
  if (map === undefined) return { file, line };
  const found = libraries.mapping().originalPositionFor(map, { line, column });
  if (found.source === null || found.line === null) return { file, line };
  return { file: sourcePath(found.source, file), line: found.line };
}

function sourcePath(source: string, file: string): string {
  if (source.startsWith('file:')) return fileURLToPath(source);
  // webpack://name/./src/pay.ts
  const local = source.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*\//i, '');
  return isAbsolute(local) ? local : resolve(dirname(file), local);
}

/** A map from the changed source to the author's, as a comment to put at its end. */
export function mapCommentFor(
  source: string,
  edits: Edits,
  file: string,
  input: TraceMap | undefined,
): string {
  const changed = new (libraries.MagicString())(source);
  for (const { position, text } of edits.pieces()) changed.appendLeft(position, text);
  const own = changed.generateMap({ source: file, hires: 'boundary', includeContent: false });
  const whole = input === undefined ? own : libraries.remapping()([own.toString(), input], () => null);
  return `//# sourceMappingURL=data:application/json;base64,${Buffer.from(whole.toString()).toString('base64')}`;
}

import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathBelow } from '../config/path-below.ts';
import { readMapJson, sourcePath } from '../instrument/emit/source-map.ts';
import type { SiteOrigin } from '../record/types.ts';

/** Nobody reads larger files line by line. Bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * The text of an author's file: from disk, else from the source map of the loaded file. Undefined where it cannot be had, or where it was changed since
 * it was loaded or compiled, so that its lines may be others. `file` is relative to the root.
 */
export function readAuthorsText(
  root: string,
  file: string,
  origin: SiteOrigin | undefined,
): string | undefined {
  const path = resolve(root, file);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return origin && readFromMap(root, file, origin);
  if (!status.isFile() || status.size > MAX_BYTES) return undefined;
  const knownMs = origin?.loadedMs ?? performance.timeOrigin;
  if (status.mtimeMs > knownMs) return undefined;
  if (origin !== undefined && origin.file !== path) {
    const compiled = statSync(origin.file, { throwIfNoEntry: false });
    if (compiled !== undefined && status.mtimeMs > compiled.mtimeMs) return readFromMap(root, file, origin);
  }
  return readFileSync(path, 'utf8');
}

/** The text that a compiler wrote into the map beside its output. */
function readFromMap(root: string, file: string, origin: SiteOrigin): string | undefined {
  const status = statSync(origin.file, { throwIfNoEntry: false });
  if (status === undefined || !status.isFile() || status.mtimeMs > origin.loadedMs) return undefined;
  const json = readMapJson(readFileSync(origin.file, 'utf8'), origin.file);
  if (json === undefined) return undefined;
  const map: unknown = JSON.parse(json);
  if (typeof map !== 'object' || map === null || !('sources' in map) || !('sourcesContent' in map))
    return undefined;
  const { sources, sourcesContent } = map;
  if (!Array.isArray(sources) || !Array.isArray(sourcesContent)) return undefined;
  const folder = 'sourceRoot' in map && typeof map.sourceRoot === 'string' ? map.sourceRoot : '';
  const prefix = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  const at = sources.findIndex(
    (source: unknown) =>
      typeof source === 'string' && pathBelow(root, sourcePath(prefix + source, origin.file)) === file,
  );
  const text: unknown = sourcesContent[at];
  return typeof text === 'string' && text.length <= MAX_BYTES ? text : undefined;
}

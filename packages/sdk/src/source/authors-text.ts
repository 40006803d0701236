import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readMapJson, resolveSourcePath } from '../instrument/emit/source-map.ts';
import { formatPathBelow } from '../project/path-below.ts';
import type { SiteOrigin } from '../record/types.ts';

/** Maximum size of a source file that is read, in bytes. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Source code by the author's path, relative to the root. */
type Texts = ReadonlyMap<string, string>;

/** Original source texts that compilers embedded in source maps. Each source map is read once. */
export class MapTexts {
  readonly #texts = new Map<string, Texts | undefined>();

  get isUsed(): boolean {
    return this.#texts.size > 0;
  }

  /**
   * Returns the source texts of a loaded file. Returns undefined if the file has changed since it was loaded, or if its map contains no
   * source texts.
   */
  read(root: string, origin: SiteOrigin): Texts | undefined {
    if (!this.#texts.has(origin.file)) this.#texts.set(origin.file, readTexts(root, origin));
    return this.#texts.get(origin.file);
  }
}

/**
 * Returns the content of an author's file from the disk. If the file is missing or newer than the compiled file, the content is taken from
 * the source map of the loaded file. Returns undefined if the file changed after it was loaded, because line numbers could differ, or if
 * the content is not available. `file` is relative to `root`.
 */
export function readAuthorsText(
  root: string,
  file: string,
  origin: SiteOrigin | undefined,
  maps: MapTexts,
): string | undefined {
  const path = resolve(root, file);
  const status = statSync(path, { throwIfNoEntry: false });
  if (status === undefined) return origin && maps.read(root, origin)?.get(file);
  if (!status.isFile() || status.size > MAX_BYTES) return undefined;
  const knownMs = origin?.loadedMs ?? performance.timeOrigin;
  if (status.mtimeMs > knownMs) return undefined;
  if (origin !== undefined && origin.file !== path) {
    const compiled = statSync(origin.file, { throwIfNoEntry: false });
    if (compiled !== undefined && status.mtimeMs > compiled.mtimeMs)
      return maps.read(root, origin)?.get(file);
  }
  return readFileSync(path, 'utf8');
}

function readTexts(root: string, origin: SiteOrigin): Texts | undefined {
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
  const texts = new Map<string, string>();
  for (const [at, source] of sources.entries()) {
    const text: unknown = sourcesContent[at];
    if (typeof source !== 'string' || typeof text !== 'string' || text.length > MAX_BYTES) continue;
    const path = formatPathBelow(root, resolveSourcePath(prefix + source, origin.file));
    if (!texts.has(path)) texts.set(path, text);
  }
  return texts;
}

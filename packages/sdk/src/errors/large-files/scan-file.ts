import { resolveMapPath } from '../../instrument/emit/source-map.ts';
import { MAX_SOURCE_LENGTH } from '../../instrument/instrument.ts';
import { Base64Decoder } from '../../positions/large-maps/base64-decoder.ts';
import { BundleScanner, type ByteRange } from '../../positions/large-maps/bundle-scanner.ts';
import { MapScanner } from '../../positions/large-maps/map-scanner.ts';
import { StoredMap } from '../../positions/large-maps/stored-map.ts';
import { OpenFile } from './open-file.ts';

/** Maximum length of the path of a source map, in bytes. */
const MAX_URL_BYTES = 4096;
/** Beginning of an inline source map: a `data:` URL in the file's `sourceMappingURL` comment. */
const inlineStart = /^data:[^,\s]*;base64,/;

export interface ScannedFile {
  readonly map: StoredMap;
  readonly exact: boolean;
}

/**
 * Reads a file and its source map in chunks, with a pause after each chunk. Returns undefined if the file names no source map.
 * @throws if the map cannot be read, is no source map, or exceeds a limit
 */
export function scanFile(path: string, pause: () => Promise<void>): Promise<ScannedFile | undefined> {
  return OpenFile.use(path, pause, async (file) => {
    const bundle = new BundleScanner();
    await file.scan({ start: 0, end: file.size }, (chunk) => bundle.add(chunk));
    if (bundle.url === undefined) return undefined;
    // Columns are exact if a build instrumented the code. They are also exact if the code is too long to be instrumented when it is loaded.
    const exact = bundle.isInstrumented || bundle.minLength > MAX_SOURCE_LENGTH;
    return { map: await scanMap(path, file, bundle.url, pause), exact };
  });
}

async function scanMap(
  path: string,
  file: OpenFile,
  { start, end }: ByteRange,
  pause: () => Promise<void>,
): Promise<StoredMap> {
  const url = await file.readText({ start, end: Math.min(end, start + MAX_URL_BYTES) });
  const inline = inlineStart.exec(url)?.[0];
  if (inline !== undefined) return scanInlineMap(file, { start: start + inline.length, end });
  const [, name] = /^([^\s'"]+)[ \t\r]*$/.exec(url) ?? [];
  if (name === undefined || end - start > MAX_URL_BYTES) throw new Error('the comment names no file');
  return OpenFile.use(resolveMapPath(name, path), pause, async (opened) => {
    const scanner = new MapScanner();
    await opened.scan({ start: 0, end: opened.size }, (chunk) => scanner.add(chunk));
    scanner.end();
    return new StoredMap(scanner, { start: 0, isBase64: false, read: opened.readAgain });
  });
}

async function scanInlineMap(file: OpenFile, range: ByteRange): Promise<StoredMap> {
  const scanner = new MapScanner();
  const decoder = new Base64Decoder();
  await file.scan(range, (chunk) => scanner.add(decoder.add(chunk)));
  scanner.add(decoder.end());
  scanner.end();
  return new StoredMap(scanner, { start: range.start, isBase64: true, read: file.readAgain });
}

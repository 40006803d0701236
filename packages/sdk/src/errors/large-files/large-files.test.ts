import { AsyncLocalStorage } from 'node:async_hooks';
import {
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { entryCall } from '../../internal/runtime-name.ts';
import { BundleScanner } from '../../positions/large-maps/bundle-scanner.ts';
import { MapScanner } from '../../positions/large-maps/map-scanner.ts';
import { AuthorsFiles } from '../authors-files.ts';
import { LargeFiles } from './large-files.ts';
import { OpenFile } from './open-file.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'throughline-large-')));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const MB = 1024 * 1024;

interface Content {
  readonly code?: string;
  /** Size in bytes of the source text that the source map contains. */
  readonly textBytes?: number;
  readonly mappings?: string;
}

/** Writes a compiled file and a source map that maps the file's line 2 to line 7 of src/pay.ts. Returns the file's path. */
function write(
  name: string,
  { code = 'a();\nb();\n', textBytes = 10, mappings = ';AAMA' }: Content = {},
): string {
  const path = join(folder, name);
  writeFileSync(path, `${code}//# sourceMappingURL=${name}.map\n`);
  const text = 'const text = "\\\\é";\n'.repeat(textBytes / 20);
  writeFileSync(`${path}.map`, JSON.stringify({ sources: ['src/pay.ts'], sourcesContent: [text], mappings }));
  return path;
}

const place = (line: number) => ({ file: join(folder, 'src/pay.ts'), line });
const untilFound = (files: AuthorsFiles, path: string) =>
  vi.waitFor(() => expect(files.placeOf(path, 2, 1)).toEqual(place(7)), { timeout: 60_000, interval: 5 });

/** Waits until all files passed to `start` so far have been scanned. */
async function untilScanned(files: LargeFiles): Promise<void> {
  const last = files.start(write('last.js'));
  await vi.waitFor(() => expect(last.found).not.toBeNull(), { timeout: 60_000, interval: 5 });
}

describe('a file whose map is larger than 32 MB', () => {
  test('is scanned when a stack first names it, and mapped afterwards', async () => {
    const path = write('a.js', { textBytes: 33 * MB });
    const files = new AuthorsFiles();
    expect(files.placeOf(path, 2, 1)).toBeUndefined();
    await untilFound(files, path);
    expect(files.placeOf(path, 1, 1)).toBeUndefined();
    // A file: URL of the same file uses the result of the first scan. The file is deleted, so it cannot be read again.
    rmSync(path);
    expect(files.placeOf(`file://${path}`, 2, 1)).toEqual(place(7));
  });

  test('is scanned when it is loaded', async () => {
    const path = write('a.js', { textBytes: 33 * MB });
    const files = new AuthorsFiles();
    const use = vi.spyOn(OpenFile, 'use');
    files.prepare(path);
    files.prepare(write('small.js'));
    await vi.waitFor(() => expect(use).toHaveBeenCalledTimes(2), { timeout: 60_000 });
    expect(use.mock.calls.map(([path]) => basename(path))).toEqual(['a.js', 'a.js.map']);
    await untilFound(files, path);
    expect(use).toHaveBeenCalledTimes(2);
  });

  test('is not mapped beyond column 1000 if its code is instrumented at load, but is mapped there if a build instrumented it', async () => {
    const line = `${' '.repeat(2000)}b();\n`;
    const content = { textBytes: 33 * MB, mappings: ';AAMA' };
    const plain = write('plain.js', { ...content, code: `a();\n${line}` });
    const built = write('built.js', { ...content, code: `${entryCall}1);\n${line}` });
    const files = new AuthorsFiles();
    for (const path of [plain, built]) {
      expect(files.placeOf(path, 2, 2001)).toBeUndefined();
      await untilFound(files, path);
    }
    expect(files.placeOf(plain, 2, 2001)).toBeUndefined();
    expect(files.placeOf(built, 2, 2001)).toEqual(place(7));
  });
});

test('the columns of a file that is too long to be instrumented are exact', async () => {
  const path = write('long.js', { code: `a();\n${' '.repeat(33 * MB)}b();\n` });
  const files = new AuthorsFiles();
  expect(files.placeOf(path, 2, 2001)).toBeUndefined();
  await untilFound(files, path);
  expect(files.placeOf(path, 2, 2001)).toEqual(place(7));
});

test('a scan reads at most 128 kB in each turn of the event loop', async () => {
  let turn = 0;
  let isOver = false;
  const next = () => {
    turn += 1;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  const turns = new Map<number, number>();
  for (const { prototype } of [BundleScanner, MapScanner]) {
    const { add } = prototype;
    vi.spyOn(prototype, 'add').mockImplementation(function (this: BundleScanner & MapScanner, chunk: Buffer) {
      turns.set(turn, (turns.get(turn) ?? 0) + chunk.length);
      add.call(this, chunk);
    });
  }
  const files = new AuthorsFiles();
  const path = write('a.js', { code: 'fail();\n'.repeat((34 * MB) / 8), textBytes: 2 * MB });
  files.placeOf(path, 2, 1);
  await untilFound(files, path);
  isOver = true;
  expect(Math.max(...turns.values())).toBe(128 * 1024);
  expect(turns.size).toBeGreaterThan(36 * 8);
});

test('files are scanned one after the other, at most 16 of them, outside of any request', async () => {
  const requests = new AsyncLocalStorage<string>();
  const files = new LargeFiles();
  const open: string[] = [];
  const seen: string[] = [];
  const { use } = OpenFile;
  vi.spyOn(OpenFile, 'use').mockImplementation(async (path, ...rest) => {
    if (!path.endsWith('.map')) seen.push(basename(path));
    open.push(path.replace('.map', ''));
    expect(new Set(open).size).toBe(1);
    expect(requests.getStore()).toBeUndefined();
    try {
      return await use.call(OpenFile, path, ...rest);
    } finally {
      open.pop();
    }
  });
  const paths = Array.from({ length: 20 }, (_path, n) => write(`${n}.js`));
  const found = paths.map((path, n) => requests.run(`request ${n}`, () => files.start(path)));
  const isFound = () => found.map((file) => file.found !== null);
  await vi.waitFor(() => expect(isFound().indexOf(false)).toBe(16), { timeout: 60_000 });
  expect(seen).toEqual(paths.slice(0, 16).map((path) => basename(path)));
  expect(isFound().lastIndexOf(true)).toBe(15);
  expect(files.start(paths[3] ?? '')).toBe(found[3]);
});

describe('positions are not mapped', () => {
  test.each<[string, (map: string) => void]>([
    ['replaced by an equal file', (map) => replace(map, readFileSync(map, 'utf8'))],
    ['truncated', (map) => truncateSync(map, MB)],
    ['written again', (map) => writeFileSync(map, '{}')],
    ['removed', (map) => rmSync(map)],
  ])('if the map is %s while it is read', async (_name, change) => {
    const path = write('a.js', { textBytes: 2 * MB });
    const { add } = MapScanner.prototype;
    const spy = vi.spyOn(MapScanner.prototype, 'add').mockImplementation(function (this: MapScanner, chunk) {
      add.call(this, chunk);
      spy.mockRestore();
      change(`${path}.map`);
    });
    const files = new LargeFiles();
    const file = files.start(path);
    await untilScanned(files);
    expect(file.found).toBeNull();
  });

  test('if the map is replaced after it was read, except for positions that were found before', async () => {
    const path = write('a.js', { mappings: ';AAMA,CAAC' });
    const files = new LargeFiles();
    const file = files.start(path);
    await untilScanned(files);
    expect(file.found?.map.find(2, 0)).toEqual({ source: 'src/pay.ts', line: 7 });
    replace(`${path}.map`, readFileSync(`${path}.map`, 'utf8'));
    expect(file.found?.map.find(2, 0)).toEqual({ source: 'src/pay.ts', line: 7 });
    expect(() => file.found?.map.find(2, 1)).toThrow();
  });

  test.each([
    ['that is missing', 'a.js.mop'],
    ['that is a folder', '.'],
    ['that is no map', 'a.js'],
    ['of another machine', 'https://cdn.example/a.js.map'],
    ['with an invalid name', '%E0%A4%A'],
    ['with a NUL character', 'a%00.map'],
    ['that is a device', '/dev/zero'],
    ['inline without base64', 'data:application/json,%7B%7D'],
    ['inline and damaged', `data:application/json;base64,${'A'.repeat(100_000)}!`],
    ['with a name that is too long', 'a'.repeat(10_000)],
    ['followed by other text', 'a.js.map other'],
  ])('if the file names a map %s', async (_name, url) => {
    const path = write('a.js');
    writeFileSync(path, `a();\nb();\n//# sourceMappingURL=${url}`);
    const files = new LargeFiles();
    const file = files.start(path);
    await untilScanned(files);
    expect(file.found).toBeNull();
  });

  test.each(['', 'a.js', '\0', '/dev/zero', '/dev/stdin'])('in a file with the path %j', async (path) => {
    const files = new LargeFiles();
    const file = files.start(path);
    await untilScanned(files);
    expect(file.found).toBeNull();
  });
});

/** Replaces the file at `path` by a new file, as a build does: writes the file under another name and renames it. */
function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

test('an inline map is found with and without base64 padding, at the end of the file and before further lines', async () => {
  const path = write('a.js');
  const json = readFileSync(`${path}.map`, 'utf8');
  for (const spaces of ['', ' ', '  ']) {
    const base64 = Buffer.from(json + spaces).toString('base64');
    for (const end of ['', '\n', '\r\n', '\nc();\n']) {
      for (const digits of [base64, base64.replaceAll('=', '')]) {
        writeFileSync(
          path,
          `a();\nb();\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,${digits}${end}`,
        );
        const files = new LargeFiles();
        const file = files.start(path);
        await untilScanned(files);
        expect(file.found?.map.find(2, 0)).toEqual({ source: 'src/pay.ts', line: 7 });
      }
    }
  }
});

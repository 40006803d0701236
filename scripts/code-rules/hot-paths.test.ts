import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import {
  BYTE_FORMATS,
  findBytesOutsideHotPaths,
  HOT_PATH_HEADINGS,
  HOT_PATHS,
  listByteHandling,
} from './hot-paths.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => ({ path, text: readFileSync(join(root, path), 'utf8') });
const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(root, path)))
  .map(read);

test('no file outside the hot paths handles bytes itself', () => {
  expect(files.flatMap(findBytesOutsideHotPaths)).toEqual([]);
});

test.each(HOT_PATHS)(
  'the README of the hot path %s has its invariants, its tests and its benchmark',
  (folder) => {
    const { text } = read(`${folder}/README.md`);
    expect(HOT_PATH_HEADINGS.filter((heading) => !text.includes(heading))).toEqual([]);
    expect(text).toMatch(/hot(?:test)? path/);
    expect(text).toMatch(/bench[:/][\w-]+/);
  },
);

test('each folder and file that is allowed to handle bytes contains code that handles bytes', () => {
  const allowed = [...HOT_PATHS.map((folder) => `${folder}/`), ...Object.keys(BYTE_FORMATS)];
  const used = allowed.filter((place) =>
    files.some((file) => file.path.startsWith(place) && listByteHandling(file).length > 0),
  );
  expect(used).toEqual(allowed);
});

describe('the check for code that handles bytes', () => {
  const inService = (text: string) =>
    findBytesOutsideHotPaths({ path: 'apps/server/src/features/a/service.ts', text });

  it.each([
    'if (text.charCodeAt(at) === 10) at += 1;',
    'const bytes = new Uint8Array(length);',
    'const words = Uint32Array.from(numbers);',
    'return bytes.subarray(start, end);',
    'return bytes.subarray(1);',
    'const length = bytes.readUInt32BE(1);',
    'const block = Buffer.allocUnsafeSlow(size);',
    'port.postMessage(message, [body.buffer]);',
    'memory.transfer(0);',
    'Atomics.wait(sleep, 0, 0, 2);',
  ])('reports: %s', (code) => expect(inService(code)).toHaveLength(1));

  it.each([
    "const text = Buffer.from(bytes).toString('utf8');",
    'const start = bytes.subarray(0, maxBytes);',
    'const unit = character.charCodeAt(0).toString(16);',
    '// Each word of the array was read with readUInt32BE(1).',
    'function add(bytes: Uint8Array): void {}',
  ])('does not report the plain code: %s', (code) => expect(inService(code)).toEqual([]));
});

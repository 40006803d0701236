import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../../..');
const FONTS = ['inter', 'jetbrains-mono'];

/** Files with data about other languages, which is never shown. */
const NOT_SHOWN = /[\\/]redaction[\\/]/;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm;
const RANGE = /U\+([\dA-F]+)(?:-([\dA-F]+))?/gi;

/** Returns the code points for which a font's package has files. */
function readRanges(font: string): readonly (readonly [number, number])[] {
  const path = createRequire(import.meta.url).resolve(`@fontsource-variable/${font}/wght.css`);
  return Array.from(readFileSync(path, 'utf8').matchAll(RANGE), ([, from = '', to = from]) => [
    Number.parseInt(from, 16),
    Number.parseInt(to, 16),
  ]);
}

/** Returns the characters of a file, without its comments, that at least one of the fonts lacks. */
function missingIn(text: string): readonly string[] {
  const fonts = FONTS.map(readRanges);
  const characters = new Set(text.replaceAll(COMMENT, ''));
  return [...characters].filter((character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 126 && !fonts.every((ranges) => ranges.some(([from, to]) => from <= point && point <= to));
  });
}

it('both bundled fonts have every character that the screens show', async () => {
  const missing: Record<string, readonly string[]> = {};
  let files = 0;
  for (const folder of ['apps/dashboard/src', 'packages/contract/src', 'apps/server/src']) {
    for await (const name of glob('**/*.{ts,tsx,css}', { cwd: join(ROOT, folder) })) {
      if (NOT_SHOWN.test(`/${name}`) || /\.(test|fixture)\./.test(name)) continue;
      files += 1;
      const found = missingIn(readFileSync(join(ROOT, folder, name), 'utf8'));
      if (found.length > 0) missing[name] = found;
    }
  }
  expect(files).toBeGreaterThan(100);
  expect(missing).toEqual({});
});

it('the check for missing characters reports an arrow and a heavy cross, but not an ellipsis', () => {
  expect(missingIn("const text = '→ ✖ …'; // ⌘")).toEqual(['→', '✖']);
});

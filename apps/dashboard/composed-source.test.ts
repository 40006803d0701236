import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, createLogger } from 'vite';
import { expect, test } from 'vitest';
import config from './vite.config.ts';

const ROOT = import.meta.dirname;
const ENTRY = 'virtual:every-style-sheet';

test('the build of the style sheets prints no warning', async () => {
  const files: string[] = [];
  for await (const name of glob('src/**/*.css', { cwd: ROOT })) files.push(join(ROOT, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  expect(texts.some((text) => /composes:.* from /.test(text))).toBe(true);
  const warnings: string[] = [];
  const warn = (text: string) => void warnings.push(text);
  await build({
    root: ROOT,
    // Ignores the Vite configuration file, because its plugins write files.
    configFile: false,
    css: config.css ?? {},
    customLogger: { ...createLogger('silent'), warn, warnOnce: warn },
    build: { write: false, cssMinify: false, rolldownOptions: { input: ENTRY } },
    plugins: [
      {
        name: 'every-style-sheet',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) =>
          id === ENTRY ? files.map((file) => `import ${JSON.stringify(file)};`).join('\n') : undefined,
      },
    ],
  });
  expect(warnings).toEqual([]);
});

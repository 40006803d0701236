import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { checkLayers } from './check-layers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const SOURCE = /(?<!\.d)\.tsx?$/;
const FOLDERS = ['packages', 'apps', 'e2e', 'integrations', 'bench'];

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|fixtures|generated|packed)$/.test(entry.name)) return [];
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(path);
    return SOURCE.test(path) ? [path] : [];
  });
}

describe('the layers', () => {
  it('are respected by every module', () => {
    const { violations, files } = checkLayers(root, FOLDERS);
    expect(violations).toEqual([]);
    const onDisk = FOLDERS.flatMap(sourcesBelow);
    expect([...files].sort()).toEqual(onDisk.sort());
    expect(onDisk.length).toBeGreaterThan(100);
  });
});

describe('a violation in a test project is found:', () => {
  const made: string[] = [];
  afterEach(() => {
    for (const folder of made.splice(0)) rmSync(folder, { recursive: true });
  });

  function plant(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'layers-'));
    made.push(folder);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    if (!existsSync(join(folder, 'node_modules')))
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  }

  const found = (files: Readonly<Record<string, string>>): string[] => {
    const { violations } = checkLayers(
      plant(files),
      ['packages', 'apps'].filter((top) => Object.keys(files).some((path) => path.startsWith(top))),
    );
    return violations.map((violation) => violation.split(':', 1)[0] ?? '');
  };

  it.each([
    [
      'features-by-their-index',
      'apps/server/src/features/a/service.ts',
      '../b/store.ts',
      'apps/server/src/features/b/store.ts',
    ],
    [
      'platform-below-features',
      'apps/server/src/platform/clock.ts',
      '../features/a/index.ts',
      'apps/server/src/features/a/index.ts',
    ],
    ['features-below-app', 'apps/server/src/features/a/service.ts', '../../app.ts', 'apps/server/src/app.ts'],
    [
      'app-enters-features-by-their-index',
      'apps/server/src/app.ts',
      './features/a/store.ts',
      'apps/server/src/features/a/store.ts',
    ],
    [
      'record-knows-no-host',
      'packages/sdk/src/record/frame.ts',
      '../http/entry.ts',
      'packages/sdk/src/http/entry.ts',
    ],
    [
      'internal-is-the-sdks-bottom',
      'packages/sdk/src/internal/report.ts',
      '../record/clock.ts',
      'packages/sdk/src/record/clock.ts',
    ],
    [
      'send-knows-no-host',
      'packages/sdk/src/send/exporter.ts',
      '../http/entry.ts',
      'packages/sdk/src/http/entry.ts',
    ],
    [
      'pictures-fetch-nothing',
      'apps/dashboard/src/visuals/tree.ts',
      '../features/traces/data/queries.ts',
      'apps/dashboard/src/features/traces/data/queries.ts',
    ],
    [
      'screens-by-their-index',
      'apps/dashboard/src/features/a/page.tsx',
      '../b/queries.ts',
      'apps/dashboard/src/features/b/queries.ts',
    ],
    [
      'screens-entered-by-page-or-index',
      'apps/dashboard/src/shell/frame.ts',
      '../features/a/queries.ts',
      'apps/dashboard/src/features/a/queries.ts',
    ],
    [
      'sdk-stands-alone',
      'packages/sdk/src/index.ts',
      '../../contract/src/index.ts',
      'packages/contract/src/index.ts',
    ],
    [
      'dashboard-imports-no-server',
      'apps/dashboard/src/main.ts',
      '../../server/src/app.ts',
      'apps/server/src/app.ts',
    ],
    ['no-unresolvable', 'apps/server/src/app.ts', './missing.ts', 'apps/server/src/other.ts'],
  ])('%s', (rule, from, specifier, to) => {
    const names = found({
      [from]: `import { x } from '${specifier}';\nexport const y = x;\n`,
      [to]: 'export const x = 1;\n',
    });
    expect(names).toContain(rule);
  });

  it('an import of a type, a re-export and a dynamic import', () => {
    const to = { 'packages/contract/src/index.ts': 'export const x = 1;\nexport type X = 1;\n' };
    const from = 'packages/sdk/src/index.ts';
    for (const line of [
      "import type { X } from '%';",
      "export { x } from '%';",
      "export * from '%';",
      "import('%');",
    ])
      expect(found({ ...to, [from]: line.replace('%', '../../contract/src/index.ts') }), line).toContain(
        'sdk-stands-alone',
      );
  });

  it('an import cycle', () => {
    const names = found({
      'packages/contract/src/a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
      'packages/contract/src/b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
    });
    expect(names).toContain('no-cycles');
  });

  it('an import cycle of types, also inside the recorder', () => {
    const cycle = (folder: string) =>
      found({
        [`${folder}/a.ts`]: "import type { B } from './b.ts';\nexport type A = B | 1;\n",
        [`${folder}/b.ts`]: "import { type A } from './a.ts';\nexport type B = A | 2;\n",
      });
    expect(cycle('packages/contract/src')).toContain('no-cycles');
    expect(cycle('packages/sdk/src/record')).toContain('no-cycles');
  });

  it('folders that import each other, even through different files', () => {
    const names = found({
      'apps/server/src/features/ingest/decode/scan.ts':
        "import { b } from '../encode/row.ts';\nexport const a = b;\n",
      'apps/server/src/features/ingest/encode/row.ts': 'export const b = 1;\n',
      'apps/server/src/features/ingest/encode/step.ts':
        "import type { C } from '../decode/text.ts';\nexport const c: C = 1;\n",
      'apps/server/src/features/ingest/decode/text.ts': 'export type C = 1;\n',
    });
    expect(names).toEqual(['one-way-folders']);
  });
});

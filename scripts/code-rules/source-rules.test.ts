import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  countLines,
  findEnvOutsideConfig,
  findHtmlFromText,
  findSqlOutsideStores,
  findUnfinished,
  findUnguardedChanges,
  findUnwatchedLoads,
  findVagueName,
  LONG_FILE_LINES,
  MAX_FILE_LINES,
  SOURCE_RULES,
  type SourceFile,
} from './source-rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const files: SourceFile[] = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.cjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) =>
      path !== '' && !/(^|\/)(generated|fixtures)\//.test(path) && !path.startsWith('scripts/code-rules/'),
  )
  .filter((path) => existsSync(join(root, path)))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

describe('the sources', () => {
  it('are found by the test', () => expect(files.length).toBeGreaterThan(100));

  it.each(SOURCE_RULES.map((rule) => [rule.name, rule] as const))('follow the rule %s', (_name, rule) => {
    expect(files.flatMap((file) => rule(file))).toEqual([]);
  });

  it('are files of at most 400 lines, nine in ten of them under 250', () => {
    const tooLong = files.filter((file) => countLines(file) > MAX_FILE_LINES).map((file) => file.path);
    expect(tooLong).toEqual([]);
    const long = files.filter((file) => countLines(file) > LONG_FILE_LINES);
    expect(long.length / files.length).toBeLessThanOrEqual(0.1);
  });
});

describe('a rule finds a violation:', () => {
  const at = (path: string, text = ''): SourceFile => ({ path, text });

  it('SQL in a service', () => {
    expect(
      findSqlOutsideStores(at('apps/server/src/features/a/service.ts', 'q`SELECT id FROM users`')),
    ).toHaveLength(1);
    expect(
      findSqlOutsideStores(at('apps/server/src/features/a/store.ts', 'q`SELECT id FROM users`')),
    ).toEqual([]);
  });
  it('a read of process.env in a feature', () => {
    expect(
      findEnvOutsideConfig(at('apps/server/src/features/a/service.ts', 'process.env.PORT')),
    ).toHaveLength(1);
    expect(findEnvOutsideConfig(at('apps/server/src/platform/config.ts', 'process.env.PORT'))).toEqual([]);
  });
  it('a vague file name', () => {
    expect(findVagueName(at('apps/server/src/utils.ts'))).toHaveLength(1);
    expect(findVagueName(at('apps/server/src/platform/clock.ts'))).toEqual([]);
  });
  it('a mark for unfinished code', () =>
    expect(findUnfinished(at('a.ts', '// TODO: later'))).toHaveLength(1));
  it('HTML that is built from strings', () =>
    expect(
      findHtmlFromText(at('apps/dashboard/src/visuals/a.tsx', '<p dangerouslySetInnerHTML={x} />')),
    ).toHaveLength(1));
  it('a button whose second click sends the same change again', () => {
    const queued = "useMutation({ scope: { id: 'names' }, mutationFn })";
    expect(findUnguardedChanges(at('apps/dashboard/src/a.ts', 'useMutation({ mutationFn })'))).toHaveLength(
      1,
    );
    expect(
      findUnguardedChanges(at('apps/dashboard/src/a.ts', `${queued}; useMutation({ mutationFn })`)),
    ).toHaveLength(1);
    expect(
      findUnguardedChanges(at('apps/dashboard/src/a.ts', `${queued}; useAction({ mutationFn })`)),
    ).toEqual([]);
  });

  it('a part of a page that is loaded without handling a failed load', () => {
    expect(
      findUnwatchedLoads(at('apps/dashboard/src/a.tsx', "lazy(async () => import('./b.tsx'))")),
    ).toHaveLength(1);
    expect(
      findUnwatchedLoads(at('apps/dashboard/src/a.tsx', "lazyRouteComponent(() => import('./b.tsx'), 'B')")),
    ).toHaveLength(1);
    expect(
      findUnwatchedLoads(at('apps/dashboard/src/a.tsx', "lazyPart(() => import('./b.tsx'), 'B')")),
    ).toEqual([]);
  });
});

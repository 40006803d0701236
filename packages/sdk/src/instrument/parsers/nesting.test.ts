import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import { compiled } from '../../../test/traced-project.ts';
import { isTooDeep } from './nesting.ts';

const instrument = JSON.stringify(join(import.meta.dirname, '../instrument.ts'));

/**
 * Instruments a source in a thread of another process, because threads have smaller stacks, and a stack overflow in the parser ends the
 * process.
 */
function instrumentElsewhere(makeSource: string): {
  readonly status: number | null;
  readonly stdout: string;
} {
  const work = `const { instrument } = await import(${instrument});
const source = ${makeSource};
const result = instrument(source, { file: '/a.js', root: '/', moduleKind: 'commonjs', language: 'js', reserveSites: () => 0, withMap: false });
console.log('skipped' in result ? result.skipped : result.sites.length);`;
  const options = "{ eval: true, execArgv: ['--input-type=module'] }";
  const start = `new (await import('node:worker_threads')).Worker(${JSON.stringify(work)}, ${options});`;
  return spawnSync(
    process.execPath,
    ['--no-warnings', '--conditions=source', '--input-type=module', '--eval', start],
    { encoding: 'utf8', env: { PATH: process.env.PATH ?? '', ...compiled } },
  );
}

describe('a source that nests too deep for a parser', () => {
  test.each(
    pickRows(
      [
        ['calls in a chain', "'exports.f = a' + '.b(() => 1)'.repeat(30_000)"],
        ['calls in a chain, each on its line', "'exports.f = a' + '\\n  .b()'.repeat(30_000)"],
        ['conditions', "'x = ' + 'a ? 1 : '.repeat(30_000) + '0'"],
        ['assignments', "'a = '.repeat(40_000) + '1'"],
        ['functions', "'(function () {'.repeat(2000) + '})'.repeat(2000)"],
        ['arrows', "'x = ' + '() => '.repeat(5000) + '1'"],
        ['lists', "'['.repeat(30_000) + ']'.repeat(30_000)"],
        ['blocks', "'{'.repeat(30_000) + '}'.repeat(30_000)"],
        ['templates', "('`$' + '{').repeat(10_000) + '1' + '}`'.repeat(10_000)"],
        ['negations', "'!'.repeat(30_000) + '1'"],
      ],
      { usually: 2 },
    ),
  )('is not instrumented, and the process continues: %s', (_, makeSource) => {
    expect(instrumentElsewhere(makeSource)).toMatchObject({
      status: 0,
      stdout: 'it is nested too deeply for the parser\n',
    });
  });

  test.each(
    pickRows(
      [
        ['500 brackets', "'f('.repeat(500) + '() => 1' + ')'.repeat(500)", '1'],
        ['2,500 links', "'a' + '.b()'.repeat(2500) + '; () => 1'", '1'],
        ['20,000 lines', "'a.b = c.d ? 1 : !e\\n'.repeat(20_000) + ';() => 1'", '1'],
      ],
      { usually: 1 },
    ),
  )('is distinguished from a source with %s', (_, makeSource, functions) => {
    expect(instrumentElsewhere(makeSource)).toMatchObject({ status: 0, stdout: `${functions}\n` });
  });

  test('is recognized by its nesting, not by its length', () => {
    const source = 'const a = b.c(d, (e) => ({ f: e ? 1 : 2 }))\n'.repeat(100_000);
    expect(isTooDeep(source)).toBe(false);
  });
});

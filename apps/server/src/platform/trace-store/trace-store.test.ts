import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isThorough } from '@throughline/testkit/thorough';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { boundResults } from './bounded-results.ts';
import { TraceStoreTooNew } from './migrate.ts';
import { openTraceStore } from './open.ts';
import type { TraceStore } from './trace-store.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-traces-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));
const open = () => openTraceStore({ clickhouse: undefined, dataDir });

describe('the trace store', () => {
  test('keeps its data when it is reopened, and migrates only once', async () => {
    const first = await open();
    await first.insert(
      'ingest_batches',
      ['project_id', 'key', 'answer', 'stored_at'],
      Buffer.from(row('{"a":"x\\\\n"}')),
    );
    await first.close();
    const second = await open();
    expect(await second.lines('SELECT answer FROM ingest_batches')).toEqual(['{"a":"x\\n"}']);
    const files = await readdir(new URL('./migrations', import.meta.url));
    expect(await second.lines('SELECT toString(count()) FROM trace_migrations')).toEqual([`${files.length}`]);
    await second.close();
  });

  test('completes a migration that was interrupted half-way', async () => {
    const first = await open();
    await first.command('DROP TABLE steps');
    await first.command('TRUNCATE TABLE trace_migrations');
    await first.close();
    const second = await open();
    expect(await second.lines("SELECT name FROM system.tables WHERE name = 'steps'")).toEqual(['steps']);
    await second.close();
  });

  test('rejects tables of a newer version', async () => {
    const first = await open();
    await first.command("INSERT INTO trace_migrations SELECT 9999, 'later', now64(3)");
    await first.close();
    await expect(open()).rejects.toThrow(TraceStoreTooNew);
  });

  test.runIf(isThorough())(
    'reads during writes, passes parameters unchanged, and reports invalid queries',
    async () => {
      const store = await open();
      const nasty = `'; DROP TABLE steps; -- \\ \t\n\0 😀 {x:String}`;
      const rows = await store.rows(z.object({ same: z.string() }), 'SELECT {nasty:String} AS same', {
        nasty,
      });
      expect(rows).toEqual([{ same: nasty }]);
      const long = nasty.repeat(20_000);
      expect(
        await store.lines('SELECT {long:String} = repeat({nasty:String}, 20000)', { long, nasty }),
      ).toEqual(['1']);
      const many = Array.from({ length: 20 }, (_query, index) =>
        store.rows(z.object({ n: z.number() }), 'SELECT {n:UInt32} AS n', { n: index }),
      );
      const writes = Array.from({ length: 5 }, () =>
        store.insert('ingest_batches', ['project_id', 'key', 'answer', 'stored_at'], Buffer.from(row('{}'))),
      );
      expect((await Promise.all(many)).flat().map(({ n }) => n)).toEqual([...many.keys()]);
      await Promise.all(writes);
      await expect(store.rows(z.object({}), 'SELECT nothing FROM nowhere')).rejects.toThrow(/nowhere/);
      await expect(store.insert('steps', ['project_id'], Buffer.from('not a uuid\n'))).rejects.toThrow(
        /uuid/i,
      );
      await store.ping();
      await store.close();
      await expect(store.ping()).rejects.toThrow();
    },
  );

  test.runIf(isThorough())('returns no rows of an earlier failed statement', async () => {
    const store = await open();
    const failing =
      'SELECT throwIf(number = 150000), number FROM numbers(200000) SETTINGS max_block_size = 1000';
    const tooLarge = (counted: TraceStore) =>
      boundResults(counted, 100_000).lines(
        'SELECT toString(number) FROM numbers(200000) SETTINGS max_block_size = 100',
      );
    const One = z.strictObject({ one: z.number() });
    const ways: readonly [fail: () => Promise<unknown>, ask: () => Promise<unknown>][] = [
      [() => store.lines(failing), () => store.rows(One, 'SELECT 1 AS one')],
      [() => tooLarge(store), () => store.rows(One, 'SELECT 1 AS one')],
      [() => store.rowsForWriter(One, failing), () => store.rowsForWriter(One, 'SELECT 1 AS one')],
      [() => store.rowsBeside(One, failing), () => store.rowsBeside(One, 'SELECT 1 AS one')],
    ];
    for (const [fail, ask] of ways) {
      // More statements than there are sessions, so that every session fails and is then used again.
      const refused = await Promise.allSettled(Array.from({ length: 20 }, fail));
      expect(refused.every(({ status }) => status === 'rejected')).toBe(true);
      expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(
        Array.from({ length: 20 }, () => [{ one: 1 }]),
      );
    }
    await store.close();
  });
});

function row(answer: string): string {
  const seconds = Math.floor(Date.now() / 1000);
  return `01973000-0000-7000-8000-000000000001\t01973000-0000-7000-8000-000000000002\t${answer}\t${seconds}.000000\n`;
}

const SOURCE = fileURLToPath(new URL('../..', import.meta.url));
const HOLE = /\$\{[^{}]*\}/g;

/** Lists the statements in a source file that read from a trace table or delete from it. Placeholders are replaced with [name]. */
function findStatements(source: string): string[] {
  const named = source.replace(HOLE, (hole) => `[${hole.slice(2, -1).replaceAll('`', '')}]`);
  const literals = named.match(/`[^`]*`/g) ?? [];
  return literals.filter((literal) =>
    /\bFROM\s+(?:traces|steps|spans|ingest_batches|\[table\])\s/.test(literal),
  );
}

/**
 * Valid beginnings of a WHERE clause. Each beginning limits the query to projects, directly or through a condition that a function builds,
 * or marks the query as housekeeping of the server.
 */
const BOUND = [
  'project_id IN (',
  'project_id IN {projects:Array(UUID)}',
  'project_id IN {attributeProjects:Array(UUID)}',
  'project_id IN {stepProjects:Array(UUID)}',
  'project_id IN {valueProjects:Array(UUID)}',
  'project_id = {project:UUID}',
  "[sql.join(' AND ')]",
  "[conditions.sql.join(' AND ')]",
  "[all.sql.join(' AND ')]",
  '[OF_TRACE]',
  '[ofProjects]',
  '[sameEndpoint]',
  '[sameOrSimilar]',
  '[of]',
  '[SENT_UNTIL]',
  '[ofTraces]',
  '[matchTraces(keys)]',
  '[split.rolledUp]',
  '[split.traces]',
  // Stands for `split.traces` in code that destructures `split`.
  '[traces]',
  '/* housekeeping */',
];

describe('every query over traces', () => {
  test('has a WHERE clause that begins with a condition on the project, or is marked as housekeeping', async () => {
    const files = (await readdir(SOURCE, { recursive: true })).filter(
      (file) => /(?<!\.test)\.ts$/.test(file) && !file.includes('/fixtures/'),
    );
    const statements = [];
    for (const file of files) {
      const found = findStatements(await readFile(join(SOURCE, file), 'utf8'));
      statements.push(...found.map((statement) => ({ file, statement })));
      // SQL on these tables is allowed only in store files.
      if (found.length > 0) expect(file).toMatch(/store\.ts$/);
    }
    expect(statements.length).toBeGreaterThanOrEqual(9);
    for (const { file, statement } of statements) {
      const where = /WHERE ([\s\S]*)/.exec(statement)?.[1] ?? '';
      expect(
        BOUND.some((bound) => where.startsWith(bound)),
        `${file}: ${statement}`,
      ).toBe(true);
    }
  });
});

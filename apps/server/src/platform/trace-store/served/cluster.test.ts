import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { selectParts } from '../all-nodes.ts';
import { readMigrations } from '../migrate.ts';
import { openTraceStore } from '../open.ts';
import type { TraceStore } from '../trace-store.ts';
import { onCluster } from './cluster.ts';
import { buildCommentsSql } from './inserts-left.ts';

let dataDir: string;
let engine: TraceStore;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-cluster-'));
  engine = await openTraceStore({ clickhouse: undefined, dataDir });
});
afterAll(async () => {
  await engine.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the engine's parse tree of a statement; rejects a statement that it cannot parse. */
const parsed = (sql: string) => engine.lines(`EXPLAIN AST ${sql}`);

test('every migration can be parsed in the form for replicas and in the form for distributed tables', async () => {
  const statements = (await readMigrations()).flatMap((migration) => migration.statements);
  const made = statements.flatMap((statement) => onCluster(statement, 'main'));
  for (const statement of made) await parsed(statement);
  const tables = statements.flatMap((sql) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql)?.[1] ?? []);
  expect(tables.length).toBeGreaterThan(3);
  for (const table of tables) {
    expect(
      made.filter((sql) => sql.startsWith(`CREATE TABLE IF NOT EXISTS ${table}_local ON CLUSTER 'main'`)),
    ).toHaveLength(1);
    expect(made).toContain(
      `CREATE TABLE IF NOT EXISTS ${table} ON CLUSTER 'main' AS ${table}_local ENGINE = Distributed('main', currentDatabase(), ${table}_local, cityHash64(project_id))`,
    );
  }
  // No statement creates or alters a table on only one node.
  for (const sql of made) if (/^(CREATE|ALTER)/.test(sql)) expect(sql).toContain("ON CLUSTER 'main'");
});

test("the path of a replicated table contains shard and table name, and the engine's other settings are unchanged", () => {
  const [local] = onCluster(
    'CREATE TABLE IF NOT EXISTS t (a UInt8)\nENGINE = ReplacingMergeTree(stored_at)\nORDER BY a',
    'main',
  );
  expect(local).toBe(
    "CREATE TABLE IF NOT EXISTS t_local ON CLUSTER 'main' (a UInt8)\nENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/t_local', '{replica}', stored_at)\nORDER BY a",
  );
});

describe('on a cluster,', () => {
  test.each([
    [
      'DELETE FROM steps WHERE project_id = 1',
      "DELETE FROM steps_local ON CLUSTER 'main' WHERE project_id = 1",
    ],
    [
      'DELETE FROM spans WHERE id IN (SELECT id FROM traces WHERE x) AND y IN (SELECT a FROM numbers(3))',
      "DELETE FROM spans_local ON CLUSTER 'main' WHERE id IN (SELECT id FROM traces_local WHERE x) AND y IN (SELECT a FROM numbers(3))",
    ],
    [
      'UPDATE traces SET step_count = 1 WHERE true',
      "UPDATE traces_local ON CLUSTER 'main' SET step_count = 1 WHERE true",
    ],
    [
      'ALTER TABLE steps APPLY DELETED MASK SETTINGS mutations_sync = 2',
      "ALTER TABLE steps_local ON CLUSTER 'main' APPLY DELETED MASK SETTINGS mutations_sync = 2",
    ],
  ])('the statement %s is sent to the tables of the shards', async (sql, expected) => {
    expect(onCluster(sql, 'main')).toEqual([expected]);
    await parsed(expected);
  });

  test('a column is added first on the shards, then to the distributed table', async () => {
    const both = onCluster('ALTER TABLE t ADD COLUMN IF NOT EXISTS a UInt8', 'main');
    expect(both).toEqual([
      "ALTER TABLE t_local ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS a UInt8",
      "ALTER TABLE t ON CLUSTER 'main' ADD COLUMN IF NOT EXISTS a UInt8",
    ]);
    for (const sql of both) await parsed(sql);
  });

  test('the statement that waits for parts makes each node wait for its own parts', () => {
    expect(onCluster('SYSTEM WAIT LOADING PARTS steps', 'main')).toEqual([
      "SYSTEM WAIT LOADING PARTS ON CLUSTER 'main' steps_local",
    ]);
  });

  test('parts are listed from all nodes under the logical table names', async () => {
    for (const cluster of ['main', undefined]) {
      await parsed(
        `SELECT any(rows) FROM ${selectParts(cluster)} WHERE active AND table = 'traces' GROUP BY shard, name`,
      );
    }
    expect(selectParts('main')).toContain("clusterAllReplicas('main', system.parts)");
  });

  test('running statements are listed from all nodes', async () => {
    await parsed(buildCommentsSql('main'));
    expect(buildCommentsSql('main')).toContain("clusterAllReplicas('main', system.processes)");
  });

  test('reads and inserts use the distributed table', () => {
    for (const sql of ['INSERT INTO spans SELECT * FROM spans', 'SELECT count() FROM traces']) {
      expect(onCluster(sql, 'main')).toEqual([sql]);
    }
  });

  test('any other statement is rejected instead of running on a single node', () => {
    expect(() => onCluster('OPTIMIZE TABLE traces', 'main')).toThrow('no form on a cluster is known');
    expect(() => onCluster('CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = Memory', 'main')).toThrow(
      'not replicated',
    );
  });
});

test('every command whose text is in a store’s file can be rewritten for a cluster', async () => {
  const source = fileURLToPath(new URL('../../..', import.meta.url));
  const files = (await readdir(source, { recursive: true })).filter((file) => /store\.ts$/.test(file));
  let changing = 0;
  for (const file of files) {
    const text = await readFile(join(source, file), 'utf8');
    for (const [, quoted, single] of text.matchAll(
      /\.command(?:Beside)?\(\s*(?:`([^`]*)`|'((?:[^'\\]|\\.)*)')/g,
    )) {
      const sql = (quoted ?? single ?? '')
        .replace(/\$\{[^{}]*\}/g, 'filled_in')
        .replace(/^DELETE filled_in/, 'DELETE FROM traces WHERE true');
      changing += 1;
      expect(onCluster(sql, 'main').length, `${file}: ${sql}`).toBeGreaterThan(0);
    }
  }
  expect(changing).toBeGreaterThan(10);
});

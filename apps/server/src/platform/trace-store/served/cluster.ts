/**
 * Adapts statements for a single ClickHouse server to a cluster. Each shard has a replicated local table (`traces_local`) behind a
 * distributed table with the original name (`traces`), so queries and inserts are the same as on one server. All data of a project is on
 * one shard, so a query for one project reads one shard, and an insert for one project writes one part.
 */

/** The table of applied migrations. Every node has a full copy of this table, so that the cluster records each migration once. */
const EVERYWHERE = 'trace_migrations';
const SHARDED_BY = 'cityHash64(project_id)';

const CREATE = /^CREATE TABLE IF NOT EXISTS (\w+)\s/;
const ENGINE = /\bENGINE\s*=\s*(\w*MergeTree)(?:\(([^)]*)\))?/;
const ALTER = /^ALTER TABLE (\w+)\s+(\w+ \w+)/;
const DELETE = /^DELETE FROM (\w+)\s/;
const UPDATE = /^UPDATE (\w+)\s/;
const WAIT = /^(SYSTEM WAIT LOADING PARTS) (\w+)$/;
/** Matches the ALTER operations that change columns. They must be run on the local table and on the distributed table. */
const OF_COLUMNS = /^(ADD|DROP|MODIFY|RENAME) COLUMN$/;

/** Settings of every query and insert on a distributed table. */
export const CLUSTER_SETTINGS = {
  // An insert is acknowledged when the shard has stored it, not when this node has queued it.
  distributed_foreground_insert: 1,
  optimize_skip_unused_shards: 1,
  // Rows that a query looks up in another table are on the same shard, because each project is on a single
  // shard.
  distributed_product_mode: 'local',
  // Uses the same replica as long as it is available, regardless of which node is queried, so that every server can read rows that were
  // just stored.
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
} as const;

/**
 * Returns the statements that have the same effect on a cluster as `statement` has on a single server. Queries
 * and inserts are unchanged.
 * @throws for kinds of statements that migrations and stores do not use so far
 */
export function onCluster(statement: string, cluster: string): string[] {
  const sql = statement.trim();
  const all = `ON CLUSTER '${cluster}'`;
  const [, created] = CREATE.exec(sql) ?? [];
  if (created !== undefined) return createOn(sql, created, all, cluster);
  const [, altered, what = ''] = ALTER.exec(sql) ?? [];
  if (altered !== undefined) {
    const on = (name: string) => sql.replace(/^ALTER TABLE \w+/, `ALTER TABLE ${name} ${all}`);
    return OF_COLUMNS.test(what) ? [on(nameLocalTable(altered)), on(altered)] : [on(nameLocalTable(altered))];
  }
  const [, emptied] = DELETE.exec(sql) ?? [];
  if (emptied !== undefined) return [rewriteToLocal(sql).replace(/^DELETE FROM \w+/, `$& ${all}`)];
  const [, updated] = UPDATE.exec(sql) ?? [];
  if (updated !== undefined) {
    return [rewriteToLocal(sql).replace(/^UPDATE \w+/, `UPDATE ${nameLocalTable(updated)} ${all}`)];
  }
  const [, waiting, awaited] = WAIT.exec(sql) ?? [];
  if (awaited !== undefined) return [`${waiting} ${all} ${nameLocalTable(awaited)}`];
  if (/^(INSERT INTO|SELECT)\s/.test(sql)) return [sql];
  throw new Error(`no form on a cluster is known for: ${sql.slice(0, 100)}`);
}

function nameLocalTable(table: string): string {
  return table === EVERYWHERE ? table : `${table}_local`;
}

/**
 * Rewrites a statement to use local tables: each node changes and reads only its own rows, and a project's
 * rows are on one shard.
 */
function rewriteToLocal(sql: string): string {
  return sql.replace(
    /\bFROM\s+(\w+)\b(?!\s*[.(])/g,
    (_all, table: string) => `FROM ${nameLocalTable(table)}`,
  );
}

function createOn(sql: string, table: string, all: string, cluster: string): string[] {
  const [engine, family, given] = ENGINE.exec(sql) ?? [];
  if (engine === undefined) throw new Error(`the table ${table} has an engine that is not replicated`);
  const name = nameLocalTable(table);
  const shard = table === EVERYWHERE ? 'all' : '{shard}';
  const place = `'/clickhouse/tables/${shard}/{database}/${name}', '${table === EVERYWHERE ? '{shard}-{replica}' : '{replica}'}'`;
  const replicated = `ENGINE = Replicated${family}(${place}${given ? `, ${given}` : ''})`;
  const onShards = sql
    .replace(/^CREATE TABLE IF NOT EXISTS \w+/, `CREATE TABLE IF NOT EXISTS ${name} ${all}`)
    .replace(engine, () => replicated);
  if (table === EVERYWHERE) return [onShards];
  return [
    onShards,
    `CREATE TABLE IF NOT EXISTS ${table} ${all} AS ${name} ENGINE = Distributed('${cluster}', currentDatabase(), ${name}, ${SHARDED_BY})`,
  ];
}

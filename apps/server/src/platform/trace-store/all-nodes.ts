/** SQL sources for ClickHouse's system tables: of this node, or of all nodes of a cluster. */

/** Returns the source of ClickHouse's parts. Exported so that a test can check that the engine can read it. */
export function selectParts(cluster: string | undefined): string {
  return cluster === undefined
    ? readPartsFrom('system.parts')
    : readPartsFrom(selectAllNodes(cluster, 'system.parts'), '_shard_num');
}

/** Returns the source of detached parts, such as damaged ones. */
export function selectDetachedParts(cluster: string | undefined): string {
  const table = 'system.detached_parts';
  return cluster === undefined
    ? readPartsFrom(table)
    : readPartsFrom(selectAllNodes(cluster, table), '_shard_num');
}

/**
 * Returns the source of running statements. A query of this source must set `skip_unavailable_shards = 1`: an unreachable node runs no
 * statements, but would make the query fail, and inserts wait for this query.
 */
export function selectProcesses(cluster: string | undefined): string {
  return cluster === undefined ? 'system.processes' : selectAllNodes(cluster, 'system.processes');
}

function selectAllNodes(cluster: string, table: string): string {
  return `clusterAllReplicas('${cluster}', ${table})`;
}

/**
 * Builds a subquery of parts from a source such as `system.parts`. Removes the suffix `_local` from the tables' names: on a cluster, each
 * shard stores a table's rows in a table with this suffix.
 */
function readPartsFrom(source: string, shard = '1'): string {
  return `(SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table), ${shard} AS shard FROM ${source} WHERE database = currentDatabase())`;
}

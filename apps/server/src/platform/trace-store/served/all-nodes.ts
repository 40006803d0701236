/** SQL sources for ClickHouse's system tables: of this node, or of all nodes of a cluster. */

/** Exported so that a check can verify that the engine can read the parts. */
export function selectParts(cluster: string | undefined): string {
  return cluster === undefined
    ? partsIn('system.parts')
    : partsIn(ofAllNodes(cluster, 'system.parts'), '_shard_num');
}

/** Returns the source of detached parts, such as damaged ones. */
export function selectDetachedParts(cluster: string | undefined): string {
  const table = 'system.detached_parts';
  return cluster === undefined ? partsIn(table) : partsIn(ofAllNodes(cluster, table), '_shard_num');
}

/**
 * Returns the source of running statements. Unreachable nodes are skipped: they run no statements, and would
 * otherwise block all inserts.
 */
export function selectProcesses(cluster: string | undefined): string {
  return cluster === undefined ? 'system.processes' : ofAllNodes(cluster, 'system.processes');
}

function ofAllNodes(cluster: string, table: string): string {
  return `clusterAllReplicas('${cluster}', ${table})`;
}

/** On a cluster, each shard stores a table's rows in a table with the suffix `_local`. */
function partsIn(source: string, shard = '1'): string {
  return `(SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table), ${shard} AS shard FROM ${source} WHERE database = currentDatabase())`;
}

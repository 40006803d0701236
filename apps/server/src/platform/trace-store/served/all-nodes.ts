/** Sources for ClickHouse's own tables: of this node, or of all nodes of a cluster. */

/** Exported for the check that the engine can read them. */
export function selectParts(cluster: string | undefined): string {
  return cluster === undefined
    ? partsIn('system.parts')
    : partsIn(ofAllNodes(cluster, 'system.parts'), '_shard_num');
}

/** Parts that the engine detached, such as damaged ones. */
export function selectDetachedParts(cluster: string | undefined): string {
  const table = 'system.detached_parts';
  return cluster === undefined ? partsIn(table) : partsIn(ofAllNodes(cluster, table), '_shard_num');
}

/** The statements that run. A node that is away is left out: it runs none, and would let nothing be stored anywhere. */
export function selectProcesses(cluster: string | undefined): string {
  return cluster === undefined ? 'system.processes' : ofAllNodes(cluster, 'system.processes');
}

function ofAllNodes(cluster: string, table: string): string {
  return `clusterAllReplicas('${cluster}', ${table})`;
}

/** On a cluster a table's rows are in one of another name on each shard. */
function partsIn(source: string, shard = '1'): string {
  return `(SELECT * REPLACE (replaceRegexpOne(table, '_local$', '') AS table), ${shard} AS shard FROM ${source} WHERE database = currentDatabase())`;
}

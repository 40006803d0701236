interface ServiceNode {
  readonly id: string;
}

interface ServiceEdge {
  readonly source: string;
  readonly target: string;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Sizes in pixels. */
export const SERVICE_CARD = { width: 188, height: 64 } as const;
export const COLUMN_GAP = 148;
const ROW_GAP = 20;
const SWEEPS = 4;

interface ServiceLayout {
  readonly places: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

/**
 * Who asks stands left of whom it asks; within a column each stands near those it has to do with. Circles are cut where they close.
 * Linear in nodes and edges but for sorting the columns a few times.
 */
export function layOutServices(nodes: readonly ServiceNode[], edges: readonly ServiceEdge[]): ServiceLayout {
  const columns = columnsOf(nodes, edges);
  const beside = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    if (!beside.has(source) || !beside.has(target)) continue;
    beside.get(source)?.push(target);
    beside.get(target)?.push(source);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) sortColumns(columns, beside);

  const tallest = columns.reduce((most, column) => Math.max(most, column.length), 0);
  const heightOf = (count: number) => Math.max(0, count * (SERVICE_CARD.height + ROW_GAP) - ROW_GAP);
  const height = heightOf(tallest);
  const places = new Map<string, Place>();
  for (const [column, ids] of columns.entries()) {
    const top = (height - heightOf(ids.length)) / 2;
    for (const [row, id] of ids.entries()) {
      places.set(id, {
        x: column * (SERVICE_CARD.width + COLUMN_GAP),
        y: top + row * (SERVICE_CARD.height + ROW_GAP),
      });
    }
  }
  const width = Math.max(0, columns.length * (SERVICE_CARD.width + COLUMN_GAP) - COLUMN_GAP);
  return { places, width, height };
}

/** A node's column is one right of the rightmost that asks it. */
function columnsOf(nodes: readonly ServiceNode[], edges: readonly ServiceEdge[]): string[][] {
  const targets = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    if (source !== target && targets.has(target)) targets.get(source)?.push(target);
  }
  const order = targetsFirst(nodes, targets).toReversed();
  const orderOf = new Map(order.map((id, place) => [id, place]));
  const columnOf = new Map<string, number>();
  for (const id of order) {
    const column = columnOf.get(id) ?? 0;
    columnOf.set(id, column);
    for (const target of targets.get(id) ?? []) {
      // An edge back to one that was placed before closes a circle.
      if ((orderOf.get(target) ?? 0) < (orderOf.get(id) ?? 0)) continue;
      columnOf.set(target, Math.max(columnOf.get(target) ?? 0, column + 1));
    }
  }
  const columns: string[][] = [];
  for (const { id } of nodes) {
    const column = columnOf.get(id) ?? 0;
    while (columns.length <= column) columns.push([]);
    columns[column]?.push(id);
  }
  return columns;
}

/** Each node after those that it asks, as far as they do not ask back; without recursion, since chains can be long. */
function targetsFirst(
  nodes: readonly ServiceNode[],
  targets: ReadonlyMap<string, readonly string[]>,
): string[] {
  const done: string[] = [];
  const seen = new Set<string>();
  for (const { id } of nodes) {
    if (seen.has(id)) continue;
    seen.add(id);
    const open = [{ id, next: 0 }];
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const target = targets.get(top.id)?.[top.next];
      top.next += 1;
      if (target === undefined) {
        done.push(top.id);
        open.pop();
      } else if (!seen.has(target)) {
        seen.add(target);
        open.push({ id: target, next: 0 });
      }
    }
  }
  return done;
}

/** Puts each where the middle of those is that it has to do with. */
function sortColumns(columns: readonly string[][], beside: ReadonlyMap<string, readonly string[]>): void {
  const height = new Map<string, number>();
  const note = (column: readonly string[]) => {
    for (const [row, id] of column.entries()) height.set(id, row - (column.length - 1) / 2);
  };
  for (const column of columns) note(column);
  for (const column of columns) {
    const wanted = new Map(
      column.map((id) => {
        const others = beside.get(id) ?? [];
        const sum = others.reduce((all, other) => all + (height.get(other) ?? 0), 0);
        return [id, others.length === 0 ? (height.get(id) ?? 0) : sum / others.length] as const;
      }),
    );
    column.sort((a, b) => (wanted.get(a) ?? 0) - (wanted.get(b) ?? 0));
    note(column);
  }
}

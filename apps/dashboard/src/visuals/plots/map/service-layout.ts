interface ServiceNode {
  readonly id: string;
}

interface ServiceEdge {
  readonly source: string;
  readonly target: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A card's top left corner and height. */
interface Place extends Point {
  readonly height: number;
}

/** Sizes in pixels. */
export const SERVICE_CARD = { width: 188, height: 64 } as const;
/** The gap between two columns, wide enough for the label next to an arrow. */
const COLUMN_GAP = 180;
const ROW_GAP = 20;
/** The distance between two arrows at a card, large enough to read and click their labels. */
const ARROW_GAP = 24;
const SWEEPS = 4;

interface ServiceLayout {
  readonly places: ReadonlyMap<string, Place>;
  readonly width: number;
  readonly height: number;
}

/**
 * Places callers to the left of the services that they call, and each service of a column near its callers and callees. Breaks cycles at
 * the edge that closes them. Takes linear time in nodes and edges, except for sorting the columns a few times.
 */
export function layOutServices(nodes: readonly ServiceNode[], edges: readonly ServiceEdge[]): ServiceLayout {
  const columns = layOutColumns(nodes, edges);
  const beside = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    if (!beside.has(source) || !beside.has(target)) continue;
    beside.get(source)?.push(target);
    beside.get(target)?.push(source);
  }
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) sortColumns(columns, beside);

  const heights = computeHeights(nodes, edges);
  const findHeight = (id: string) => heights.get(id) ?? SERVICE_CARD.height;
  const columnHeight = (ids: readonly string[]) =>
    ids.reduce((sum, id) => sum + findHeight(id) + ROW_GAP, -ROW_GAP);
  const height = columns.reduce((most, ids) => Math.max(most, columnHeight(ids)), 0);
  const places = new Map<string, Place>();
  for (const [column, ids] of columns.entries()) {
    let y = (height - columnHeight(ids)) / 2;
    for (const id of ids) {
      places.set(id, { x: column * (SERVICE_CARD.width + COLUMN_GAP), y, height: findHeight(id) });
      y += findHeight(id) + ROW_GAP;
    }
  }
  const width = Math.max(0, columns.length * (SERVICE_CARD.width + COLUMN_GAP) - COLUMN_GAP);
  return { places, width, height };
}

/** Computes a card's height from the number of arrows on the side with more arrows. */
function computeHeights(
  nodes: readonly ServiceNode[],
  edges: readonly ServiceEdge[],
): ReadonlyMap<string, number> {
  const known = new Set(nodes.map(({ id }) => id));
  const drawn = edges.filter(({ source, target }) => known.has(source) && known.has(target));
  const asking = Map.groupBy(drawn, ({ source }) => source);
  const asked = Map.groupBy(drawn, ({ target }) => target);
  return new Map(
    nodes.map(({ id }) => {
      const arrows = Math.max(asking.get(id)?.length ?? 0, asked.get(id)?.length ?? 0);
      return [id, Math.max(SERVICE_CARD.height, (arrows + 1) * ARROW_GAP)];
    }),
  );
}

interface Arrow<Edge> {
  readonly edge: Edge;
  readonly start: Point;
  readonly end: Point;
}

/**
 * Computes where the arrow of each edge starts and ends. The arrows at one side of a card are spread along this side, in the order of the
 * cards at the arrows' other ends.
 */
export function layOutArrows<Edge extends ServiceEdge>(
  edges: readonly Edge[],
  places: ReadonlyMap<string, Place>,
): readonly Arrow<Edge>[] {
  const drawn = edges.flatMap((edge) => {
    const [from, to] = [places.get(edge.source), places.get(edge.target)];
    return from === undefined || to === undefined ? [] : [{ edge, from, to }];
  });
  type Drawn = (typeof drawn)[number];
  const spread = (card: (one: Drawn) => Place, other: (one: Drawn) => Place) => {
    const heights = new Map<Drawn, number>();
    for (const [{ y, height }, all] of Map.groupBy(drawn, card)) {
      const ordered = all.toSorted((a, b) => other(a).y - other(b).y || other(a).x - other(b).x);
      for (const [place, one] of ordered.entries()) {
        heights.set(one, y + (height * (place + 1)) / (ordered.length + 1));
      }
    }
    return heights;
  };
  const starts = spread(
    ({ from }) => from,
    ({ to }) => to,
  );
  const ends = spread(
    ({ to }) => to,
    ({ from }) => from,
  );
  return drawn.map((one) => ({
    edge: one.edge,
    start: { x: one.from.x + SERVICE_CARD.width, y: starts.get(one) ?? one.from.y },
    end: { x: one.to.x, y: ends.get(one) ?? one.to.y },
  }));
}

/** Places a node one column to the right of its rightmost caller. */
function layOutColumns(nodes: readonly ServiceNode[], edges: readonly ServiceEdge[]): string[][] {
  const targets = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source, target } of edges) {
    if (source !== target && targets.has(target)) targets.get(source)?.push(target);
  }
  const order = sortTargetsFirst(nodes, targets).toReversed();
  const placesById = new Map(order.map((id, place) => [id, place]));
  const columnsById = new Map<string, number>();
  for (const id of order) {
    const column = columnsById.get(id) ?? 0;
    columnsById.set(id, column);
    for (const target of targets.get(id) ?? []) {
      // This edge leads back to a node earlier in the order, so it closes a cycle. The edge is ignored, because it must not move that node.
      if ((placesById.get(target) ?? 0) < (placesById.get(id) ?? 0)) continue;
      columnsById.set(target, Math.max(columnsById.get(target) ?? 0, column + 1));
    }
  }
  const columns: string[][] = [];
  for (const { id } of nodes) {
    const column = columnsById.get(id) ?? 0;
    while (columns.length <= column) columns.push([]);
    columns[column]?.push(id);
  }
  return columns;
}

/** Orders nodes after the nodes that they call, except in cycles. Uses no recursion, since chains can be long. */
function sortTargetsFirst(
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

/** Sorts each column by the mean position of each node's callers and callees. */
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

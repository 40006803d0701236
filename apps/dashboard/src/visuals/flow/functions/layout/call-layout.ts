import { Graph, layout } from '@dagrejs/dagre';
import {
  type Arrow,
  type CallLayout,
  type CardPlaces,
  COLUMN_GAP,
  FUNCTION_CARD,
  type Lane,
  type LayoutEdge,
  type LayoutFunction,
  type Point,
  RANK_GAP,
} from './layout-types.ts';
import { findOutlineBlocks, measureBlock, placeBlock } from './outline-blocks.ts';
import { placeInLanes } from './place-in-lanes.ts';

const EDGE_LABEL = { width: 96, height: 18 } as const;
/**
 * If a graph has more functions than this, or its arrows cross more than `MAX_RANKS_OF_ARROWS` ranks in total, each function is placed
 * below the caller with the most time, as in a tree. If all arrows counted, they would pull the functions of such a graph far apart.
 */
const ALL_ARROWS_UP_TO = 120;
const MAX_RANKS_OF_ARROWS = 1000;
/**
 * Maximum number of ranks below each other, because the layout library is recursive and nobody scrolls further. Deeper ranks are placed
 * beside the other ranks, starting at the top again.
 */
const MAX_DEPTH = 200;
/** With up to this many functions, computing optimal ranks takes negligible time. */
const BEST_RANKS_UP_TO = 60;
/** The weight of the opening path's arrows, relative to other arrows, when the layout straightens arrows. */
const STRAIGHT = 50;

/** Lays out functions in rows, callers above callees. `edges` contain no cycle and are sorted by time, largest first. */
export function layOutCalls(functions: readonly LayoutFunction[], edges: readonly LayoutEdge[]): CallLayout {
  const ranks = findRanks(functions, edges);
  const crossed = edges.reduce(
    (sum, { caller, callee }) => sum + rankIn(ranks, callee) - rankIn(ranks, caller),
    0,
  );
  const isTree = functions.length > ALL_ARROWS_UP_TO || crossed > MAX_RANKS_OF_ARROWS;
  const part = (id: string) => Math.floor(rankIn(ranks, id) / MAX_DEPTH);
  const kept = (isTree ? selectMainEdges(edges) : edges).filter(
    ({ caller, callee }) => part(caller) === part(callee),
  );
  const hasLanes = functions.some(({ lane }) => lane !== undefined);
  const ranked = rank(functions, kept, !hasLanes);
  if (!hasLanes) return finish(ranked, edges, []);
  const { cards, lanes } = placeInLanes(functions, ranked.cards);
  return finish({ cards, bends: new Map(), outlined: new Map() }, edges, lanes);
}

interface Ranked {
  readonly cards: CardPlaces;
  /** The points of each curved arrow between its ends, by edge id. */
  readonly bends: ReadonlyMap<string, readonly Point[]>;
  /** The points of the arrow to each function of an outline block, by the id of the function's main edge. */
  readonly outlined: ReadonlyMap<string, readonly Point[]>;
}

function rank(functions: readonly LayoutFunction[], edges: readonly LayoutEdge[], inBlocks: boolean): Ranked {
  const blocks = inBlocks ? findOutlineBlocks(functions, edges) : [];
  const blockOf = new Map(blocks.flatMap((block) => block.members.map((id) => [id, block] as const)));
  const graph = new Graph();
  graph.setGraph({
    rankdir: 'TB',
    ranker: functions.length <= BEST_RANKS_UP_TO ? 'network-simplex' : 'tight-tree',
    nodesep: COLUMN_GAP,
    ranksep: RANK_GAP,
    edgesep: 16,
    rankalign: 'top',
  });
  for (const { id } of functions) if (!blockOf.has(id)) graph.setNode(id, { ...FUNCTION_CARD });
  for (const block of blocks) {
    graph.setNode(block.id, measureBlock(block));
    if (block.caller !== undefined) graph.setEdge(block.caller, block.id, { width: 0, height: 0 });
  }
  for (const { caller, callee, labelled, isStraight } of edges) {
    if (blockOf.has(callee) || blockOf.has(caller)) continue;
    const size = labelled ? { ...EDGE_LABEL, labelpos: 'c' } : { width: 0, height: 0 };
    graph.setEdge(caller, callee, { ...size, weight: isStraight ? STRAIGHT : 1 });
  }
  // The layout library aligns the functions of `corePath` (the opening path) vertically if possible.
  layout(graph, { corePath: listStraight(edges) });
  const cards = new Map<string, Point>();
  const findCorner = (id: string): Point => {
    const { x = 0, y = 0, width = 0, height = 0 } = graph.node(id);
    return { x: x - width / 2, y: y - height / 2 };
  };
  for (const { id } of functions) if (!blockOf.has(id)) cards.set(id, findCorner(id));
  const toRows = new Map<string, readonly Point[]>();
  for (const block of blocks) {
    for (const [id, points] of placeBlock(block, findCorner(block.id), cards)) toRows.set(id, points);
  }
  const bends = new Map<string, readonly Point[]>();
  const outlined = new Map<string, readonly Point[]>();
  for (const { id, caller, callee } of edges) {
    const points = toRows.get(callee);
    if (points !== undefined) outlined.set(id, points);
    else if (!blockOf.has(caller)) bends.set(id, (graph.edge(caller, callee).points ?? []).slice(1, -1));
  }
  return { cards, bends, outlined };
}

function finish(
  { cards, bends, outlined }: Ranked,
  edges: readonly LayoutEdge[],
  lanes: readonly Lane[],
): CallLayout {
  const arrows = new Map<string, Arrow>();
  for (const { id, caller, callee } of edges) {
    const [from, to] = [cards.get(caller), cards.get(callee)];
    if (from === undefined || to === undefined) continue;
    const middle = FUNCTION_CARD.width / 2;
    const start = { x: from.x + middle, y: from.y + FUNCTION_CARD.height };
    const square = outlined.get(id);
    if (square === undefined) {
      const points = [start, ...(bends.get(id) ?? []), { x: to.x + middle, y: to.y }];
      arrows.set(id, { points, squareFrom: undefined });
    } else if (isBelow(square[0], from)) {
      arrows.set(id, { points: square, squareFrom: 0 });
    } else {
      arrows.set(id, { points: [start, ...square], squareFrom: 1 });
    }
  }
  let [width, height] = [1, 1];
  for (const { x, y } of cards.values()) {
    width = Math.max(width, x + FUNCTION_CARD.width);
    height = Math.max(height, y + FUNCTION_CARD.height);
  }
  for (const lane of lanes) {
    width = Math.max(width, lane.x + lane.width);
    height = Math.max(height, lane.height);
  }
  return { cards, arrows, lanes, width, height };
}

/** True if a line begins at the lower edge of a card. */
function isBelow(point: Point | undefined, { x, y }: Point): boolean {
  return (
    point !== undefined &&
    point.y === y + FUNCTION_CARD.height &&
    point.x >= x &&
    point.x <= x + FUNCTION_CARD.width
  );
}

/** Selects one edge per callee: the opening path's edge, otherwise the edge with the most time. */
function selectMainEdges(edges: readonly LayoutEdge[]): readonly LayoutEdge[] {
  const main = new Map<string, LayoutEdge>();
  for (const edge of edges) if (edge.isStraight || !main.has(edge.callee)) main.set(edge.callee, edge);
  return [...main.values()];
}

/** Lists the functions of the opening path, callers first. */
function listStraight(edges: readonly LayoutEdge[]): string[] {
  const next = new Map(
    edges.filter(({ isStraight }) => isStraight).map(({ caller, callee }) => [caller, callee]),
  );
  const called = new Set(next.values());
  const path: string[] = [];
  let at = [...next.keys()].find((id) => !called.has(id));
  for (; at !== undefined; at = next.get(at)) path.push(at);
  return path;
}

/** Computes each function's rank: its distance from the first functions by the longest path. */
function findRanks(
  functions: readonly LayoutFunction[],
  edges: readonly LayoutEdge[],
): ReadonlyMap<string, number> {
  const callees = Map.groupBy(edges, ({ caller }) => caller);
  const waiting = new Map<string, number>();
  for (const { callee } of edges) waiting.set(callee, (waiting.get(callee) ?? 0) + 1);
  const ranks = new Map<string, number>();
  const ready = functions.filter(({ id }) => !waiting.has(id)).map(({ id }) => id);
  for (const id of ready) {
    for (const { callee } of callees.get(id) ?? []) {
      ranks.set(callee, Math.max(rankIn(ranks, callee), rankIn(ranks, id) + 1));
      const left = (waiting.get(callee) ?? 1) - 1;
      waiting.set(callee, left);
      if (left === 0) ready.push(callee);
    }
  }
  return ranks;
}

function rankIn(ranks: ReadonlyMap<string, number>, id: string): number {
  return ranks.get(id) ?? 0;
}

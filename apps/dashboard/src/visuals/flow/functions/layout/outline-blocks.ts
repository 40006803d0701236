import {
  COLUMN_GAP,
  FUNCTION_CARD,
  type LayoutEdge,
  type LayoutFunction,
  type Point,
} from './layout-types.ts';

/** A graph with fewer functions has no outline blocks, because it has enough space for one row per rank. */
const MIN_FUNCTIONS = 17;
const MIN_MEMBERS = 4;
const MIN_ROWS = 6;
/** Maximum number of rows of a column, as a multiple of the square root of the number of functions. */
const ROWS_PER_ROOT = 1.2;
const INDENT = 24;
const ROW_GAP = 16;
/** The space to the left of and above a column's cards. The lines from the functions' caller are drawn in this space. */
const BUS_GAP = 14;
/** The distance from a card's left edge to the start of the lines to its callees. */
const STEM = 12;

/** A function in an outline, with its depth below the block's caller. */
interface OutlineRow {
  readonly id: string;
  readonly indent: number;
  readonly caller: string | undefined;
}

/**
 * Functions that are reached only through one caller: each is called by this caller or by another function of the block. They are drawn as
 * columns of an indented outline. With one row per rank, they would be wider than any window.
 */
export interface OutlineBlock {
  readonly id: string;
  /** The function that calls the block's top-level functions; undefined if they have no caller. */
  readonly caller: string | undefined;
  readonly columns: readonly (readonly OutlineRow[])[];
  readonly members: readonly string[];
}

/** Finds the outline blocks of a graph. Each block has whole branches, and none of its functions needs a position of its own. */
export function findOutlineBlocks(
  functions: readonly LayoutFunction[],
  edges: readonly LayoutEdge[],
): OutlineBlock[] {
  if (functions.length < MIN_FUNCTIONS) return [];
  const rows = Math.max(MIN_ROWS, Math.round(Math.sqrt(functions.length) * ROWS_PER_ROOT));
  const branches = findBranches(functions, edges, rows);
  return [...Map.groupBy(branches, ({ caller }) => caller)].flatMap(([caller, group]) => {
    const columns = fillColumns(group, rows);
    const members = columns.flat().map(({ id }) => id);
    if (members.length < MIN_MEMBERS) return [];
    return [{ id: `block ${caller ?? ''}`, caller, columns, members }];
  });
}

export function measureBlock({ columns }: OutlineBlock): { readonly width: number; readonly height: number } {
  const longest = columns.reduce((most, rows) => Math.max(most, rows.length), 0);
  return {
    width: columns.reduce((sum, rows) => sum + measureWidth(rows), COLUMN_GAP * (columns.length - 1)),
    height: BUS_GAP + longest * (FUNCTION_CARD.height + ROW_GAP) - ROW_GAP,
  };
}

/** Places the cards of a block. Returns the bends of the arrows to the cards, by function. */
export function placeBlock(
  { columns }: OutlineBlock,
  corner: Point,
  cards: Map<string, Point>,
): ReadonlyMap<string, readonly Point[]> {
  const bends = new Map<string, readonly Point[]>();
  let left = corner.x;
  for (const rows of columns) {
    for (const [index, { id, indent, caller }] of rows.entries()) {
      const x = left + BUS_GAP + indent * INDENT;
      const y = corner.y + BUS_GAP + index * (FUNCTION_CARD.height + ROW_GAP);
      cards.set(id, { x, y });
      const middle = y + FUNCTION_CARD.height / 2;
      const above = indent > 0 && caller !== undefined ? cards.get(caller) : undefined;
      bends.set(
        id,
        above === undefined
          ? [
              { x: left, y: corner.y },
              { x: left, y: middle },
              { x, y: middle },
            ]
          : [
              { x: above.x + STEM, y: above.y + FUNCTION_CARD.height },
              { x: above.x + STEM, y: middle },
              { x, y: middle },
            ],
      );
    }
    left += measureWidth(rows) + COLUMN_GAP;
  }
  return bends;
}

function measureWidth(rows: readonly OutlineRow[]): number {
  const deepest = rows.reduce((most, { indent }) => Math.max(most, indent), 0);
  return BUS_GAP + FUNCTION_CARD.width + deepest * INDENT;
}

/** A function with all its descendants in outline order. */
interface Branch {
  readonly caller: string | undefined;
  readonly rows: readonly OutlineRow[];
}

/** Finds the largest branches that fit into an outline: they have at most `maxRows` functions, and each function has only one caller. */
function findBranches(
  functions: readonly LayoutFunction[],
  edges: readonly LayoutEdge[],
  maxRows: number,
): Branch[] {
  const callees = Map.groupBy(edges, ({ caller }) => caller);
  const callers = Map.groupBy(edges, ({ callee }) => callee);
  const apart = new Set(functions.filter((each) => each.apart).map(({ id }) => id));
  const getRows = (id: string) => buildOutline(id, { callees, callers, apart, maxRows });
  const branches: Branch[] = [];
  // Callers come before callees, so that the largest branch is tried first.
  const pending = functions.map(({ id }) => id).filter((id) => !callers.has(id));
  const seen = new Set(pending);
  for (const id of pending) {
    const rows = getRows(id);
    if (rows !== undefined) {
      branches.push({ caller: callers.get(id)?.[0]?.caller, rows });
      continue;
    }
    for (const { callee } of callees.get(id) ?? []) {
      if (!seen.has(callee)) pending.push(callee);
      seen.add(callee);
    }
  }
  return branches;
}

interface OutlineOptions {
  readonly callees: ReadonlyMap<string, readonly LayoutEdge[]>;
  readonly callers: ReadonlyMap<string, readonly LayoutEdge[]>;
  readonly apart: ReadonlySet<string>;
  readonly maxRows: number;
}

/**
 * Returns a branch as an outline. Returns undefined if the branch has more than `maxRows` functions. Also returns undefined if one of its
 * functions has a second caller, or needs a position of its own (`apart`).
 */
function buildOutline(
  top: string,
  { callees, callers, apart, maxRows }: OutlineOptions,
): readonly OutlineRow[] | undefined {
  const rows: OutlineRow[] = [];
  const pending: OutlineRow[] = [{ id: top, indent: 0, caller: callers.get(top)?.[0]?.caller }];
  for (let row = pending.pop(); row !== undefined; row = pending.pop()) {
    if (rows.length === maxRows || apart.has(row.id) || (callers.get(row.id)?.length ?? 0) > 1)
      return undefined;
    rows.push(row);
    for (const { callee } of (callees.get(row.id) ?? []).toReversed()) {
      pending.push({ id: callee, indent: row.indent + 1, caller: row.id });
    }
  }
  return rows;
}

/** Fills columns with whole branches, in order. A branch that does not fit into the last column starts a new column. */
function fillColumns(branches: readonly Branch[], maxRows: number): readonly (readonly OutlineRow[])[] {
  const columns: OutlineRow[][] = [];
  for (const { rows } of branches) {
    const column = columns.at(-1);
    if (column !== undefined && column.length + rows.length <= maxRows) column.push(...rows);
    else columns.push([...rows]);
  }
  return columns;
}

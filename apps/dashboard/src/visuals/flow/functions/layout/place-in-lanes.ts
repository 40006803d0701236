import {
  type CardPlaces,
  COLUMN_GAP,
  FUNCTION_CARD,
  type Lane,
  type LayoutFunction,
  type Point,
  RANK_GAP,
} from './layout-types.ts';

/** Maximum number of cards of a lane that are side by side in a rank; further cards start a new row. */
const MAX_COLUMNS = 4;
const PADDING = 16;
const LANE_GAP = 12;
const ROW_GAP = 20;

interface LaneRows {
  readonly name: string;
  /** The lane's cards by rank, from left to right. */
  readonly ranks: ReadonlyMap<number, readonly string[]>;
  readonly columns: number;
  /** The first rank with a function that has a position of its own, such as the functions of the opening path. */
  readonly begins: number;
  /** The mean horizontal position of the cards in the layout without lanes. */
  readonly middle: number;
}

/** Places functions in one lane per group, side by side. The ranks and the order of the functions stay the same as without lanes. */
export function placeInLanes(
  functions: readonly LayoutFunction[],
  ranked: CardPlaces,
): { readonly cards: CardPlaces; readonly lanes: readonly Lane[] } {
  const heights = [...new Set([...ranked.values()].map(({ y }) => Math.round(y)))].sort((a, b) => a - b);
  const rankOf = new Map(heights.map((y, index) => [y, index]));
  const rows = [...Map.groupBy(functions, ({ lane }) => lane ?? '')]
    .map(([name, members]) => arrange(name, members, ranked, rankOf))
    // Lanes with functions of the opening path come first, in the order of the path, so that they are neighbours.
    .sort((a, b) => (a.begins === b.begins ? a.middle - b.middle : a.begins - b.begins));
  const tops = stackRanks(rows, heights.length);
  const cards = new Map<string, Point>();
  const lanes: Lane[] = [];
  const height = (tops.at(-1) ?? 0) - RANK_GAP + PADDING;
  let x = 0;
  for (const lane of rows) {
    const width = lane.columns * FUNCTION_CARD.width + (lane.columns - 1) * COLUMN_GAP + 2 * PADDING;
    for (const [rank, ids] of lane.ranks) {
      for (const [index, id] of ids.entries()) {
        cards.set(id, {
          x: x + PADDING + (index % MAX_COLUMNS) * (FUNCTION_CARD.width + COLUMN_GAP),
          y: (tops[rank] ?? 0) + Math.floor(index / MAX_COLUMNS) * (FUNCTION_CARD.height + ROW_GAP),
        });
      }
    }
    lanes.push({ name: lane.name, x, width, height });
    x += width + LANE_GAP;
  }
  return { cards, lanes };
}

function arrange(
  name: string,
  members: readonly LayoutFunction[],
  ranked: CardPlaces,
  rankOf: ReadonlyMap<number, number>,
): LaneRows {
  const placed = members
    .flatMap(({ id, apart }) => {
      const at = ranked.get(id);
      return at === undefined ? [] : [{ id, at, apart }];
    })
    .sort((a, b) => a.at.x - b.at.x);
  const rankAt = ({ y }: Point) => rankOf.get(Math.round(y)) ?? 0;
  const byRank = Map.groupBy(placed, ({ at }) => rankAt(at));
  const ranks = new Map([...byRank].map(([rank, cards]) => [rank, cards.map(({ id }) => id)]));
  const longest = [...ranks.values()].reduce((most, ids) => Math.max(most, ids.length), 1);
  return {
    name,
    ranks,
    begins: placed.reduce(
      (least, { at, apart }) => (apart ? Math.min(least, rankAt(at)) : least),
      Number.MAX_SAFE_INTEGER,
    ),
    columns: Math.min(MAX_COLUMNS, longest),
    middle: placed.reduce((sum, { at }) => sum + at.x, 0) / Math.max(1, placed.length),
  };
}

/** Returns the top of each rank and the bottom of the last. A rank is as high as its highest lane. */
function stackRanks(lanes: readonly LaneRows[], ranks: number): readonly number[] {
  const tops = [PADDING];
  for (let rank = 0; rank < ranks; rank += 1) {
    const rows = lanes.reduce(
      (most, lane) => Math.max(most, Math.ceil((lane.ranks.get(rank)?.length ?? 0) / MAX_COLUMNS)),
      1,
    );
    const height = rows * FUNCTION_CARD.height + (rows - 1) * ROW_GAP;
    tops.push((tops[rank] ?? 0) + height + RANK_GAP);
  }
  return tops;
}

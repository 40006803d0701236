/** Sizes on the canvas, in its pixels at zoom 1. */
export const FUNCTION_CARD = { width: 220, height: 56 } as const;
export const COLUMN_GAP = 24;
/** Leaves room for the values below a card. */
export const RANK_GAP = 72;

export interface LayoutFunction {
  readonly id: string;
  /** The lane that it belongs to; undefined without lanes. */
  readonly lane: string | undefined;
  /** Has a place of its own, not one among the functions that call nothing. */
  readonly apart: boolean;
}

export interface LayoutEdge {
  readonly id: string;
  readonly caller: string;
  readonly callee: string;
  /** Has words beside it. */
  readonly labelled: boolean;
  /** Is on the opening path, which is a straight line where it can be. */
  readonly isStraight: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A card's top left corner. */
export type CardPlaces = ReadonlyMap<string, Point>;

/** From a caller to a callee. */
export interface Arrow {
  readonly points: readonly Point[];
  /** From this point on with right angles, else curved. It ends at the callee's left edge then, else at its upper edge. */
  readonly squareFrom: number | undefined;
}

export interface CallLayout {
  readonly cards: CardPlaces;
  readonly arrows: ReadonlyMap<string, Arrow>;
  readonly lanes: readonly Lane[];
  readonly width: number;
  readonly height: number;
}

/** A band behind the cards of one group. */
export interface Lane {
  readonly name: string;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

/** Sizes on the canvas, in pixels at zoom 1. */
export const FUNCTION_CARD = { width: 220, height: 56 } as const;
export const COLUMN_GAP = 24;
/** The vertical gap between two ranks of cards. Leaves space for the values that are shown below a card. */
export const RANK_GAP = 72;

export interface LayoutFunction {
  readonly id: string;
  /** The function's lane; undefined without lanes. */
  readonly lane: string | undefined;
  /** True if the function gets a position of its own and is never placed in an outline block. */
  readonly apart: boolean;
}

export interface LayoutEdge {
  readonly id: string;
  readonly caller: string;
  readonly callee: string;
  /** True if the arrow has a label. */
  readonly labelled: boolean;
  /** True for edges of the opening path, which is drawn as a straight line if possible. */
  readonly isStraight: boolean;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The top left corner of each card. */
export type CardPlaces = ReadonlyMap<string, Point>;

/** An arrow from a caller to a callee. */
export interface Arrow {
  readonly points: readonly Point[];
  /**
   * The index of the point from which the arrow has right angles and ends at the callee's left edge. If undefined, the arrow is curved
   * and ends at the upper edge.
   */
  readonly squareFrom: number | undefined;
}

export interface CallLayout {
  readonly cards: CardPlaces;
  readonly arrows: ReadonlyMap<string, Arrow>;
  readonly lanes: readonly Lane[];
  readonly width: number;
  readonly height: number;
}

/** The band behind the cards of a group. */
export interface Lane {
  readonly name: string;
  readonly x: number;
  readonly width: number;
  readonly height: number;
}

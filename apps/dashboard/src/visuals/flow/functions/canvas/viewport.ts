import { type CallLayout, FUNCTION_CARD, type Point } from '../layout/layout-types.ts';

export interface View extends Point {
  readonly zoom: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * From the zoom `NAMES_FROM` on, cards show their names; from `WORDS_FROM` on, all their text. Between the two zooms, names are
 * enlarged more the smaller the zoom is, so that they stay readable.
 */
const NAMES_FROM = 0.45;
export const WORDS_FROM = 0.62;
const MARGIN_PX = 24;
/** Height of the part of the canvas that the toolbar covers, in pixels. */
const TOP_PX = 52;
/** Space for a card's values, which are shown below the card and are wider than the card. Pixels. */
const BELOW_PX = 64;
const BESIDE_PX = 56;
const MIN_ZOOM = 0.05;

export type Detail = 'boxes' | 'names' | 'words';

/**
 * Returns the level of detail of cards at a zoom, such that no label is smaller than 11 px. From the zoom `namesFrom`
 * on, cards show names; a graph whose cards have more space for names passes a smaller `namesFrom`.
 */
export function findDetail(zoom: number, namesFrom = NAMES_FROM): Detail {
  if (zoom < namesFrom) return 'boxes';
  return zoom < WORDS_FROM ? 'names' : 'words';
}

/** Returns the view that shows the whole graph. */
export function computeWholeView({ width, height }: Size, canvas: Size): View {
  return computeBoxView({ left: 0, top: 0, right: width, bottom: height }, canvas, 0);
}

/** Returns the smallest allowed zoom, at which the whole graph fits. */
export function findLeastZoom(layout: Size, canvas: Size): number {
  return Math.min(MIN_ZOOM, computeWholeView(layout, canvas).zoom);
}

/**
 * Returns a view that shows all given cards, if they fit at the zoom `NAMES_FROM` or a larger one. Otherwise shows the part around `focus`
 * at `NAMES_FROM`, at which cards still show their names.
 */
export function computeCardsView(
  cards: readonly (Point | undefined)[],
  { focus, canvas }: { readonly focus: Point | undefined; readonly canvas: Size },
): View {
  const known = cards.filter((card) => card !== undefined);
  const around = boundCards(focus === undefined ? known : [...known, focus]);
  const view = computeBoxView(around, canvas, NAMES_FROM);
  if (focus === undefined || isInView(focus, view, canvas)) return view;
  const { zoom } = view;
  const middle = computeCardView(focus, canvas, zoom);
  return {
    x: slide(middle.x, {
      from: around.left * zoom,
      to: around.right * zoom,
      room: canvas.width,
      start: MARGIN_PX,
    }),
    y: slide(middle.y, {
      from: around.top * zoom,
      to: around.bottom * zoom,
      room: canvas.height,
      start: TOP_PX,
    }),
    zoom,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly room: number;
  readonly start: number;
}

/** Limits the offset of the view along one axis, so that no space beyond the range is visible. If the whole range fits, centres it. */
function slide(wanted: number, { from, to, room, start }: Span): number {
  const [atStart, atEnd] = [start - from, room - MARGIN_PX - to];
  if (atEnd >= atStart) return atStart + (atEnd - atStart) / 2;
  return Math.min(atStart, Math.max(atEnd, wanted));
}

/** Returns the view that centres a card. */
export function computeCardView({ x, y }: Point, canvas: Size, zoom: number): View {
  return {
    x: canvas.width / 2 - (x + FUNCTION_CARD.width / 2) * zoom,
    y: canvas.height / 2 - (y + FUNCTION_CARD.height / 2) * zoom,
    zoom,
  };
}

export function isInView({ x, y }: Point, view: View, canvas: Size): boolean {
  const [left, top] = [x * view.zoom + view.x, y * view.zoom + view.y];
  return (
    left >= 0 &&
    top >= 0 &&
    left + FUNCTION_CARD.width * view.zoom <= canvas.width &&
    top + FUNCTION_CARD.height * view.zoom <= canvas.height
  );
}

/** Lists the functions whose cards are in or near a view. */
export function listInView({ cards }: CallLayout, view: View, canvas: Size): string[] {
  const [marginX, marginY] = [canvas.width / 2, canvas.height / 2];
  const left = (-view.x - marginX) / view.zoom - FUNCTION_CARD.width;
  const right = (canvas.width - view.x + marginX) / view.zoom;
  const top = (-view.y - marginY) / view.zoom - FUNCTION_CARD.height;
  const bottom = (canvas.height - view.y + marginY) / view.zoom;
  const ids: string[] = [];
  for (const [id, { x, y }] of cards) if (x >= left && x <= right && y >= top && y <= bottom) ids.push(id);
  return ids;
}

interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boundCards(cards: readonly Point[]): Bounds {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of cards) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + FUNCTION_CARD.width + BESIDE_PX);
    bottom = Math.max(bottom, y + FUNCTION_CARD.height + BELOW_PX);
  }
  return cards.length === 0 ? { left: 0, top: 0, right: 1, bottom: 1 } : { left, top, right, bottom };
}

function computeBoxView({ left, top, right, bottom }: Bounds, canvas: Size, leastZoom: number): View {
  const fitting = Math.min(
    1,
    (canvas.width - 2 * MARGIN_PX) / (right - left),
    (canvas.height - TOP_PX - MARGIN_PX) / (bottom - top),
  );
  const zoom = Math.max(leastZoom, fitting);
  const room = canvas.height - TOP_PX - MARGIN_PX;
  return {
    x: canvas.width / 2 - ((left + right) / 2) * zoom,
    y: TOP_PX + Math.max(0, (room - (bottom - top) * zoom) / 4) - top * zoom,
    zoom,
  };
}

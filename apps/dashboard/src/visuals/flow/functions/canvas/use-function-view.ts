import { useReactFlow } from '@xyflow/react';
import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { DrawnCalls } from '../calls/drawn-calls.ts';
import type { CallLayout } from '../layout/layout-types.ts';
import type { ValuePath } from '../value-path/value-path.ts';
import {
  computeCardsView,
  computeCardView,
  computeWholeView,
  findDetail,
  isInView,
  type Size,
  type View,
  WORDS_FROM,
} from './viewport.ts';

/** The opening path is shown with the siblings of its last function if all these cards fit at this zoom. */
const WITH_SIBLINGS_FROM = 0.7;

interface ViewOptions {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly drawn: DrawnCalls;
  readonly layout: CallLayout;
  readonly selected: string | undefined;
  /** The path of the value that the user follows through the request; undefined if the user follows no value. */
  readonly valuePath: ValuePath | undefined;
  /** Called with each new view. */
  readonly look: (view: View, canvas: Size) => void;
  /** False while many cards that are out of view are still drawn. */
  readonly isSettled: () => boolean;
}

/** Moves the view: at first to the opening path, then to a followed value's path, a selected function or the whole graph. */
export function useFunctionView(options: ViewOptions) {
  const { box, drawn, layout, selected, valuePath, look, isSettled } = options;
  const flow = useReactFlow();
  const noteView = useCallback(
    (view: View) => {
      const place = box.current;
      if (place === null) return;
      // Sets CSS variables, since a React state change for each frame of a zoom would render all cards again.
      place.style.setProperty('--zoom', String(view.zoom));
      look(view, measureSize(place));
      setDetail(place, view.zoom, isSettled);
    },
    [box, look, isSettled],
  );
  const show = useCallback(
    (view: View) => {
      void flow.setViewport(view);
      noteView(view);
    },
    [flow, noteView],
  );
  const showFunction = useCallback(
    (id: string) => {
      const [place, card] = [box.current, layout.cards.get(id)];
      if (place === null || card === undefined) return;
      const { x, y, zoom } = flow.getViewport();
      if (zoom >= WORDS_FROM && isInView(card, { x, y, zoom }, measureSize(place))) return;
      show(computeCardView(card, measureSize(place), Math.max(zoom, WORDS_FROM)));
    },
    [box, layout, flow, show],
  );
  const showAll = useCallback(() => {
    if (box.current !== null) show(computeWholeView(layout, measureSize(box.current)));
  }, [box, layout, show]);

  const shown = useRef<Pick<ViewOptions, 'layout' | 'selected' | 'valuePath'>>(undefined);
  useEffect(() => {
    const before = shown.current;
    shown.current = { layout, selected, valuePath };
    const place = box.current;
    if (place === null) return;
    if (before?.layout !== layout) {
      show(computeOpeningView({ drawn, layout, selected, valuePath }, measureSize(place)));
    } else if (valuePath !== undefined && before.valuePath !== valuePath) {
      const view = computePathView({ layout, selected, valuePath }, measureSize(place));
      if (view !== undefined && !isPathInView(valuePath, layout, flow.getViewport(), measureSize(place)))
        show(view);
    } else if (selected !== undefined && before.selected !== selected) {
      showFunction(selected);
    }
  }, [box, drawn, layout, selected, valuePath, flow, show, showFunction]);

  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    let { width } = measureSize(place);
    const observer = new ResizeObserver(() => {
      const moved = (place.clientWidth - width) / 2;
      width = place.clientWidth;
      const { x, y, zoom } = flow.getViewport();
      // Keeps the same part of the graph in the horizontal middle of the canvas when the canvas is resized.
      show({ x: x + moved, y, zoom });
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, [box, flow, show]);

  return { noteView, showFunction, showAll };
}

/** Maximum number of frames for which `setDetail` delays the text of cards while cards out of view are removed. */
const MAX_FRAMES = 60;

/**
 * Sets the level of detail of the cards. When the user zooms in on thousands of boxes, text appears only after the cards out of view
 * are removed, or after `MAX_FRAMES` frames: drawing the text of all cards would take seconds.
 */
function setDetail(place: HTMLElement, zoom: number, isSettled: () => boolean): void {
  const detail = findDetail(zoom);
  const isWaiting = place.dataset.wanted !== place.dataset.detail;
  place.dataset.wanted = detail;
  if (place.dataset.detail !== 'boxes' || detail === 'boxes') {
    place.dataset.detail = detail;
    return;
  }
  if (isWaiting) return;
  let frames = 0;
  const wait = () => {
    frames += 1;
    if (frames < MAX_FRAMES && !isSettled()) requestAnimationFrame(wait);
    else place.dataset.detail = place.dataset.wanted ?? detail;
  };
  wait();
}

function measureSize({ clientWidth, clientHeight }: HTMLElement): Size {
  return { width: clientWidth, height: clientHeight };
}

/**
 * Returns the first view of the graph: the functions of the followed value, otherwise a selected function outside the opening path,
 * otherwise the opening path. Includes the siblings of the path's last function if the cards stay readable.
 */
function computeOpeningView(
  { drawn, layout, selected, valuePath }: Pick<ViewOptions, 'drawn' | 'layout' | 'selected' | 'valuePath'>,
  canvas: Size,
): View {
  const path = valuePath && computePathView({ layout, selected, valuePath }, canvas);
  if (path !== undefined) return path;
  const { opening, graph } = drawn;
  const place = (id: string) => layout.cards.get(id);
  const last = opening && graph.byStep.get(opening.call)?.id;
  const elsewhere =
    selected !== undefined && opening?.path.has(selected) !== true ? place(selected) : undefined;
  if (elsewhere !== undefined) return computeCardView(elsewhere, canvas, 1);
  if (opening === undefined) return computeWholeView(layout, canvas);
  const focus = place(selected ?? last ?? '');
  const cards = [...opening.path].map(place);
  const wide = computeCardsView([...cards, ...[...opening.siblings].map(place)], { focus, canvas });
  return wide.zoom >= WITH_SIBLINGS_FROM ? wide : computeCardsView(cards, { focus, canvas });
}

interface PathViewOptions extends Pick<ViewOptions, 'layout' | 'selected'> {
  readonly valuePath: ValuePath;
}

/** Returns the view that shows the functions that have the followed value; undefined if none of these functions is drawn. */
function computePathView({ layout, selected, valuePath }: PathViewOptions, canvas: Size): View | undefined {
  const cards = [...valuePath.functions.keys()].flatMap((id) => layout.cards.get(id) ?? []);
  const focus = layout.cards.get(selected ?? '') ?? cards[0];
  return cards.length === 0 ? undefined : computeCardsView(cards, { focus, canvas });
}

function isPathInView({ functions }: ValuePath, layout: CallLayout, view: View, canvas: Size): boolean {
  if (view.zoom < WORDS_FROM) return false;
  const cards = [...functions.keys()].flatMap((id) => layout.cards.get(id) ?? []);
  return cards.every((card) => isInView(card, view, canvas));
}

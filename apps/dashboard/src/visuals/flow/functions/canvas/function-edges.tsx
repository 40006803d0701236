import { formatCount, formatDuration } from '@throughline/contract';
import { useStore, ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { DrawnCalls, DrawnEdge } from '../calls/drawn-calls.ts';
import { type Arrow, type CallLayout, FUNCTION_CARD, type Point } from '../layout/layout-types.ts';
import { drawHead, drawLine } from './draw-arrow.ts';
import classes from './function-graph.module.css';
import { findDetail } from './viewport.ts';

/**
 * Shares of the largest total time of a function. An arrow is thick if the time of its calls is at least `BROAD_FROM` of that total time,
 * and has medium thickness if the time is at least `MEDIUM_FROM` of it.
 */
const BROAD_FROM = 0.5;
const MEDIUM_FROM = 0.1;

interface FunctionEdgesProps {
  readonly drawn: DrawnCalls;
  readonly layout: CallLayout;
  /** The highlighted functions. */
  readonly lit: ReadonlySet<string>;
  readonly selected: string | undefined;
}

/**
 * Draws the arrows between functions. Arrows of the same style share an SVG shape, since drawing thousands of shapes would take longer
 * than an animation frame.
 */
export const FunctionEdges = memo(({ drawn, layout, lit, selected }: FunctionEdgesProps) => {
  const shapes = useMemo(() => groupArrows({ drawn, layout, lit, selected }), [drawn, layout, lit, selected]);
  return (
    <ViewportPortal>
      <svg className={classes.edges} aria-hidden width={layout.width} height={layout.height}>
        {shapes.map(({ key, tone, breadth, lines, heads }) => (
          <g key={key} data-tone={tone} data-breadth={breadth}>
            <path className={classes.line} d={lines} />
            <path className={classes.head} d={heads} />
          </g>
        ))}
      </svg>
    </ViewportPortal>
  );
});

interface ArrowGroup {
  readonly key: string;
  readonly tone: string;
  readonly breadth: string;
  readonly lines: string;
  readonly heads: string;
}

function groupArrows(props: FunctionEdgesProps): ArrowGroup[] {
  const { drawn, layout } = props;
  const { graph, edges, opening } = drawn;
  const largest = graph.functions.reduce((most, { totalMs }) => Math.max(most, totalMs), 0);
  const groups = new Map<string, { tone: string; breadth: string; lines: string[]; heads: string[] }>();
  for (const edge of edges) {
    const arrow = layout.arrows.get(edge.id);
    if (arrow === undefined) continue;
    const tone = opening?.edges.has(edge.id) ? opening.kind : isLit(edge, props) ? 'lit' : 'faded';
    const breadth = classifyBreadth(edge.totalMs, largest);
    const key = `${tone} ${breadth}`;
    const group = groups.get(key) ?? { tone, breadth, lines: [], heads: [] };
    groups.set(key, group);
    group.lines.push(drawLine(arrow));
    group.heads.push(drawHead(arrow));
  }
  // Highlighted edges are drawn last, on top of the other edges.
  const order = ['faded', 'lit', 'hottest', 'failing'];
  return [...groups]
    .map(([key, { lines, heads, ...group }]) => ({
      key,
      ...group,
      lines: lines.join(''),
      heads: heads.join(''),
    }))
    .sort((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
}

function classifyBreadth(ms: number, largestMs: number): 'broad' | 'medium' | 'thin' {
  if (largestMs > 0 && ms >= largestMs * BROAD_FROM) return 'broad';
  return largestMs > 0 && ms >= largestMs * MEDIUM_FROM ? 'medium' : 'thin';
}

function isLit({ caller, callee }: DrawnEdge, { lit, selected }: FunctionEdgesProps): boolean {
  return caller === selected || callee === selected || (lit.has(caller) && lit.has(callee));
}

interface EdgeLabelsProps extends FunctionEdgesProps {
  /** The functions whose cards are currently drawn. */
  readonly ids: ReadonlySet<string>;
  /** The functions that the user points at or selected. All their arrows have labels. */
  readonly near: ReadonlySet<string>;
  /** The arrow under the pointer. */
  readonly pointed: string | undefined;
}

/** More labels are unreadable, and drawing all of them takes seconds. */
const MAX_LABELS = 150;
/** The distance between the left edge of a card and the middle of a label above the card, in pixels at zoom 1. */
const LABEL_X = 64;
/** The distance between the end of an arrow and the middle of its label. */
const LABEL_ABOVE = 20;

/**
 * Shows the number of calls and their time next to three sorts of arrows: arrows to a function that has several callers or recursive calls;
 * arrows of the functions that the user points at or selected; and the arrow under the pointer, whose label is shown at any zoom.
 */
export const EdgeLabels = memo(({ ids, near, pointed, ...props }: EdgeLabelsProps) => {
  const detail = useStore(({ transform }) => findDetail(transform[2]));
  const { edges } = props.drawn;
  const isNear = ({ id, caller, callee }: DrawnEdge) =>
    id === pointed || (detail !== 'boxes' && (near.has(caller) || near.has(callee)));
  const shown = [
    ...edges.filter(({ id }) => id === pointed),
    ...edges.filter((edge) => edge.id !== pointed && isNear(edge)),
    ...edges.filter(
      (edge) =>
        detail === 'words' && edge.labelled && !isNear(edge) && ids.has(edge.callee) && ids.has(edge.caller),
    ),
  ];
  const arrow = pointed === undefined ? undefined : props.layout.arrows.get(pointed);
  return (
    <ViewportPortal>
      {arrow !== undefined && (
        <svg className={classes.edges} data-tone="pointed" aria-hidden width={1} height={1}>
          <path className={classes.line} d={drawLine(arrow)} />
        </svg>
      )}
      {shown.slice(0, MAX_LABELS).map((edge) => {
        const place = findLabelPlace(props.layout.arrows.get(edge.id), edge.labelled);
        if (place === undefined) return null;
        return (
          <span
            key={edge.id}
            className={classes.edgeLabel}
            aria-hidden
            data-tone={isNear(edge) ? 'near' : isLit(edge, props) ? 'lit' : 'faded'}
            style={{ transform: `translate(-50%, -50%) translate(${place.x}px, ${place.y}px)` }}
          >
            ×{formatCount(edge.calls)} · {formatDuration(edge.totalMs)}
          </span>
        );
      })}
    </ViewportPortal>
  );
});

/**
 * Returns the middle of an arrow for which the layout reserved space. Labels of other arrows are near the callees' cards, since the arrows
 * of a caller are close to each other at the caller's card.
 */
function findLabelPlace(arrow: Arrow | undefined, isReserved: boolean): Point | undefined {
  if (arrow === undefined) return undefined;
  const { points, squareFrom } = arrow;
  const end = points.at(-1);
  if (squareFrom !== undefined && end !== undefined)
    return { x: end.x + LABEL_X, y: end.y - FUNCTION_CARD.height / 2 };
  if (!isReserved && end !== undefined) return { x: end.x, y: end.y - LABEL_ABOVE };
  const index = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[index], points[index + 1]];
  if (points.length % 2 === 1 || a === undefined || b === undefined) return a;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

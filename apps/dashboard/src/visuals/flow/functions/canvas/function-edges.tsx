import { formatCount, formatDuration } from '@throughline/contract';
import { useStore, ViewportPortal } from '@xyflow/react';
import { memo, useMemo } from 'react';
import type { DrawnCalls, DrawnEdge } from '../calls/drawn-calls.ts';
import type { CallLayout, Point } from '../layout/layout-types.ts';
import { drawHead, drawLine } from './draw-arrow.ts';
import classes from './function-graph.module.css';
import { findDetail } from './viewport.ts';

/**
 * An arrow is thick if its time is at least this share of the largest total time of a function, and has medium thickness from `MEDIUM_FROM`
 * on.
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
 * Draws the arrows between functions. Arrows of the same style share an SVG shape, since thousands of shapes would take longer than a
 * frame.
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
}

/** More labels are unreadable, and drawing all of them takes seconds. */
const MAX_LABELS = 150;

/**
 * Shows the number of calls and their time next to each arrow to a function that has several callers or recursive calls, if the zoom is
 * large enough for text.
 */
export const EdgeLabels = memo(({ ids, ...props }: EdgeLabelsProps) => {
  const isShown = useStore(({ transform }) => findDetail(transform[2]) === 'words');
  if (!isShown) return null;
  const labelled = props.drawn.edges
    .filter(({ labelled, caller, callee }) => labelled && ids.has(callee) && ids.has(caller))
    .slice(0, MAX_LABELS);
  return (
    <ViewportPortal>
      {labelled.map((edge) => {
        const arrow = props.layout.arrows.get(edge.id);
        const middle = arrow && findMiddle(arrow.points);
        if (middle === undefined) return null;
        return (
          <span
            key={edge.id}
            className={classes.edgeLabel}
            aria-hidden
            data-tone={isLit(edge, props) ? 'lit' : 'faded'}
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
          >
            ×{formatCount(edge.calls)} · {formatDuration(edge.totalMs)}
          </span>
        );
      })}
    </ViewportPortal>
  );
});

function findMiddle(points: readonly Point[]): Point | undefined {
  const index = Math.floor((points.length - 1) / 2);
  const [a, b] = [points[index], points[index + 1]];
  if (points.length % 2 === 1 || a === undefined || b === undefined) return a;
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

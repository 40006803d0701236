import { useStore, ViewportPortal } from '@xyflow/react';
import { memo, useMemo, useState } from 'react';
import type { CallGraph } from '../calls/call-graph.ts';
import { findDetail } from '../canvas/viewport.ts';
import type { CallLayout } from '../layout/layout-types.ts';
import { chooseLabelSide, drawCurve, drawCurveHead, findPoint, routeValueEdge } from './route-value-edge.ts';
import classes from './value-edges.module.css';
import type { ValuePath } from './value-path.ts';
import { describeValueEdge } from './value-path-words.ts';

/** With up to this many arrows, all labels are shown. */
const ALL_LABELS_UP_TO = 4;

interface ValueEdgesProps {
  readonly path: ValuePath;
  readonly graph: CallGraph;
  readonly layout: CallLayout;
  /** The functions that the user points at or selected. The labels of their arrows are shown. */
  readonly near: ReadonlySet<string>;
}

/** Draws the arrows of the followed value from function to function, dashed, in front of the arrows of calls. */
export const ValueEdges = memo(({ path, graph, layout, near }: ValueEdgesProps) => {
  const [pointed, setPointed] = useState<string>();
  const hasWords = useStore(({ transform }) => findDetail(transform[2]) === 'words');
  const drawn = useMemo(
    () =>
      path.edges.flatMap((edge) => {
        const curve = routeValueEdge(edge.from, edge.to, layout.cards);
        return curve === undefined ? [] : [{ edge, curve, words: describeValueEdge(graph, edge) }];
      }),
    [path, graph, layout],
  );
  const isLabelled = ({ id, from, to }: ValuePath['edges'][number]) =>
    id === pointed ||
    (hasWords && (drawn.length <= ALL_LABELS_UP_TO || near.has(from ?? '') || near.has(to ?? '')));
  return (
    <ViewportPortal>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in an SVG picture */}
      <svg
        className={classes.edges}
        role="group"
        aria-label="Path of the followed value"
        width={layout.width}
        height={layout.height}
      >
        {drawn.map(({ edge, curve, words }) => (
          // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the pointer only shows the label, which the name contains
          <g
            key={edge.id}
            role="img"
            aria-label={words.sentence}
            data-value-edge={edge.id}
            data-passed={edge.passes.some(({ isPassed }) => isPassed)}
            onPointerEnter={() => setPointed(edge.id)}
            onPointerLeave={() => setPointed(undefined)}
          >
            <path className={classes.reach} d={drawCurve(curve)} />
            <path className={classes.line} d={drawCurve(curve)} />
            <path className={classes.head} d={drawCurveHead(curve)} />
          </g>
        ))}
      </svg>
      {drawn.map(({ edge, curve, words }) => {
        if (!isLabelled(edge)) return null;
        const { x, y } = findPoint(curve, 0.5);
        return (
          <span
            key={edge.id}
            className={classes.label}
            data-side={chooseLabelSide(curve)}
            aria-hidden
            style={{ '--x': `${x}px`, '--y': `${y}px` }}
          >
            {words.label}
          </span>
        );
      })}
    </ViewportPortal>
  );
});

import { STEP_HUES, SURFACES, TONES } from '../../../shell/theme/tones.ts';
import type { FunctionCalls } from '../functions/calls/call-graph.ts';
import type { DrawnCalls } from '../functions/calls/drawn-calls.ts';
import { describeFunction } from '../functions/calls/function-words.ts';
import { drawHead, drawLine } from '../functions/canvas/draw-arrow.ts';
import { type CallLayout, FUNCTION_CARD, type Point } from '../functions/layout/layout-types.ts';
import { drawCurve, drawCurveHead, routeValueEdge } from '../functions/value-path/route-value-edge.ts';
import type { ValueEdge, ValuePath } from '../functions/value-path/value-path.ts';
import { describeValueEdge } from '../functions/value-path/value-path-words.ts';
import { drawTextLine, FONT, LETTER_PX, MARGIN, type Picture, RADIUS, shortenText } from './flow-svg.ts';
import { escapeXml } from './xml-text.ts';

type Scheme = 'light' | 'dark';

/** Space above the lanes for their names. */
const LANE_NAME_PX = 20;

interface FunctionSvgOptions {
  readonly scheme: Scheme;
  /** The path of the value that the user follows through the request; undefined if the user follows no value. */
  readonly valuePath: ValuePath | undefined;
}

/** Draws a graph of functions as a self-contained SVG file, as `drawFlowSvg` draws a graph of calls. */
export function drawFunctionSvg(
  drawn: DrawnCalls,
  layout: CallLayout,
  { scheme, valuePath }: FunctionSvgOptions,
): Picture {
  const top = MARGIN + (layout.lanes.length > 0 ? LANE_NAME_PX : 0);
  const width = Math.ceil(layout.width) + 2 * MARGIN;
  const height = Math.ceil(layout.height) + top + MARGIN;
  const colours = SURFACES[scheme];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-top} ${width} ${height}" font-family="${FONT}" font-size="13">`,
    `<rect x="${-MARGIN}" y="${-top}" width="${width}" height="${height}" fill="${colours.page}"/>`,
    ...layout.lanes.map(
      ({ name, x, width: laneWidth, height: laneHeight }) =>
        `<rect x="${x}" y="0" width="${laneWidth}" height="${laneHeight}" rx="${RADIUS}" fill="${colours.shade}" fill-opacity="0.5"/>${drawTextLine(x, -6, shortenText(name, laneWidth / LETTER_PX), colours.dim)}`,
    ),
    ...drawn.edges.map(({ id }) => {
      const arrow = layout.arrows.get(id);
      if (arrow === undefined) return '';
      const isFailing = drawn.opening?.kind === 'failing' && drawn.opening.edges.has(id);
      const colour = isFailing ? TONES[scheme].red.fill : colours.control;
      return `<path d="${drawLine(arrow)}" fill="none" stroke="${colour}" stroke-width="1.5"/><path d="${drawHead(arrow)}" fill="${colour}"/>`;
    }),
    ...(valuePath?.edges ?? []).map((edge) => drawValueEdge(edge, { drawn, layout, scheme })),
    ...drawn.shown.map((called) => {
      const place = layout.cards.get(called.id);
      return place === undefined ? '' : drawCard(called, place, scheme);
    }),
    '</svg>',
  ];
  return { svg: parts.join('\n'), width, height };
}

interface ValueEdgeOptions {
  readonly drawn: DrawnCalls;
  readonly layout: CallLayout;
  readonly scheme: Scheme;
}

function drawValueEdge(edge: ValueEdge, { drawn, layout, scheme }: ValueEdgeOptions): string {
  const curve = routeValueEdge(edge.from, edge.to, layout.cards);
  if (curve === undefined) return '';
  const colour = TONES[scheme].amber.text;
  return `<g><title>${escapeXml(describeValueEdge(drawn.graph, edge).sentence)}</title><path d="${drawCurve(curve)}" fill="none" stroke="${colour}" stroke-width="2.5" stroke-dasharray="8 5"/><path d="${drawCurveHead(curve)}" fill="${colour}"/></g>`;
}

function drawCard(called: FunctionCalls, { x, y }: Point, scheme: Scheme): string {
  const { width, height } = FUNCTION_CARD;
  const colours = SURFACES[scheme];
  const red = TONES[scheme].red;
  const words = describeFunction(called);
  const isFailed = called.outcome === 'failed';
  const facts = [words.times, words.total, `self ${words.self}`, words.thrown].filter(Boolean).join('  ');
  return [
    '<g>',
    `<title>${escapeXml(words.sentence)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${RADIUS}" fill="${colours.card}" stroke="${isFailed ? red.fill : colours.line}"/>`,
    `<rect x="${x}" y="${y}" width="4" height="${height}" fill="${STEP_HUES[scheme][called.first.step.stepType]}"/>`,
    drawTextLine(
      x + 14,
      y + 23,
      shortenText(words.name, (width - 24) / LETTER_PX),
      colours.text,
      'start',
      ' font-weight="600"',
    ),
    drawTextLine(x + 14, y + 43, facts, isFailed ? red.text : colours.dim),
    '</g>',
  ].join('');
}

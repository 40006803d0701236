import { STEP_HUES, SURFACES, TONES } from '../../../shell/theme/tones.ts';
import { findFirstNode } from '../../steps/analysis/bundle-repeats.ts';
import { THROWN_WORDS } from '../../steps/step-outcome.ts';
import { describeEntry } from '../entry-words.ts';
import type { ErrorPath, FlowGraphData, FlowNode } from '../flow-types.ts';
import type { FlowBox, FlowLayout } from '../layout/flow-layout.ts';
import { escapeXml } from './xml-text.ts';

export const MARGIN = 24;
export const FONT = "'Inter Variable', Inter, system-ui, sans-serif";
/** The horizontal position of a card's arrows, from the card's left edge. */
const PORT_LEFT = 24;
export const RADIUS = 6;
/** The assumed width of a letter in pixels at font size 13, since no browser measures text for a file. */
export const LETTER_PX = 7;

type Scheme = 'light' | 'dark';

/** An SVG picture and its size in pixels. */
export interface Picture {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
}

/** Draws a flow graph as a self-contained SVG file: no external style, font or script, and captured names only as text. */
export function drawFlowSvg(graph: FlowGraphData, layout: FlowLayout, scheme: Scheme): Picture {
  const boxes = [...layout.values()];
  const width = boxes.reduce((most, box) => Math.max(most, box.x + box.width), 1) + 2 * MARGIN;
  const height = boxes.reduce((most, box) => Math.max(most, box.y + box.height), 1) + 2 * MARGIN;
  const colours = SURFACES[scheme];
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} ${-MARGIN} ${width} ${height}" font-family="${FONT}" font-size="13">`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width}" height="${height}" fill="${colours.page}"/>`,
    ...drawArrowHeads(scheme),
    ...graph.edges.map(({ source, target, errorPath }) => {
      const [from, to] = [layout.get(source), layout.get(target)];
      return from === undefined || to === undefined ? '' : drawArrow(from, to, errorPath, scheme);
    }),
    ...graph.nodes.map((node) => {
      const box = layout.get(node.id);
      return box === undefined ? '' : drawCard(node, box, scheme);
    }),
    '</svg>',
  ];
  return { svg: parts.join('\n'), width, height };
}

const ARROWS: readonly ErrorPath[] = [undefined, 'failed', 'handled'];

function drawArrowHeads(scheme: Scheme): string[] {
  const head = (id: string, colour: string) =>
    `<marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z" fill="${colour}"/></marker>`;
  return [`<defs>${ARROWS.map((path) => head(path ?? 'plain', chooseColour(path, scheme))).join('')}</defs>`];
}

function chooseColour(errorPath: ErrorPath, scheme: Scheme): string {
  if (errorPath === undefined) return SURFACES[scheme].control;
  return errorPath === 'failed' ? TONES[scheme].red.fill : SURFACES[scheme].dim;
}

function drawArrow(from: FlowBox, to: FlowBox, errorPath: ErrorPath, scheme: Scheme): string {
  // An arrow between a brace and a card is at the card's horizontal position, because the brace is as wide as all its branches.
  const wide = (box: FlowBox, other: FlowBox) => box.width > other.width && box.x <= other.x;
  const x1 = (wide(from, to) ? to.x : from.x) + PORT_LEFT;
  const x2 = (wide(to, from) ? from.x : to.x) + PORT_LEFT;
  const [y1, y2] = [from.y + from.height, to.y];
  const middle = (y1 + y2) / 2;
  const way = x1 === x2 ? `M${x1} ${y1}V${y2}` : `M${x1} ${y1}V${middle}H${x2}V${y2}`;
  const colour = chooseColour(errorPath, scheme);
  return `<path d="${way}" fill="none" stroke="${colour}" stroke-width="1.5" marker-end="url(#${errorPath ?? 'plain'})"/>`;
}

function drawCard(node: FlowNode, { x, y, width, height }: FlowBox, scheme: Scheme): string {
  const colours = SURFACES[scheme];
  const frame = (stroke: string, dash = '') =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${RADIUS}" fill="${colours.card}" stroke="${stroke}"${dash}/>`;
  if (node.kind !== 'entry' && node.kind !== 'more') {
    const words = node.kind === 'fork' ? `${node.count} in parallel` : '';
    return `<path d="M${x} ${y + height / 2}h${width}" stroke="${colours.control}"/>${drawTextLine(x + width / 2, y + height / 2 - 3, words, colours.dim, 'middle')}`;
  }
  if (node.kind === 'more') {
    const words = `… ${node.count.toLocaleString('en-US')} more`;
    return (
      frame(colours.control, ' stroke-dasharray="4 3"') +
      drawTextLine(x + 12, y + height / 2 + 4, words, colours.dim)
    );
  }
  const words = describeEntry(node.entry);
  const failed = words.outcome === 'failed';
  const thrown = words.outcome === 'ended' ? undefined : THROWN_WORDS[words.outcome];
  const hue = STEP_HUES[scheme][findFirstNode(node.entry).step.stepType];
  const red = TONES[scheme].red;
  const numberPx = words.number.length * LETTER_PX + 8;
  const durationPx = words.duration.length * LETTER_PX + 8;
  const name = shortenText(words.name, (width - 24 - numberPx - durationPx) / LETTER_PX);
  const second = [words.type, words.times, thrown].filter(Boolean).join('  ');
  return [
    '<g>',
    `<title>${escapeXml(words.sentence)}</title>`,
    frame(failed ? red.fill : colours.line),
    drawTextLine(x + 12, y + 23, words.number, colours.dim),
    drawTextLine(
      x + 12 + numberPx,
      y + 23,
      name,
      failed ? red.text : colours.text,
      'start',
      ' font-weight="600"',
    ),
    drawTextLine(x + width - 12, y + 23, words.duration, colours.text, 'end'),
    drawTextLine(x + 12, y + 43, second, failed ? red.text : hue),
    '</g>',
  ].join('');
}

export function drawTextLine(
  x: number,
  y: number,
  words: string,
  colour: string,
  anchor = 'start',
  more = '',
): string {
  return `<text x="${x}" y="${y}" fill="${colour}" text-anchor="${anchor}"${more}>${escapeXml(words)}</text>`;
}

export function shortenText(text: string, letters: number): string {
  const fit = Math.max(1, Math.floor(letters));
  const all = [...text];
  return all.length <= fit ? text : `${all.slice(0, fit - 1).join('')}…`;
}

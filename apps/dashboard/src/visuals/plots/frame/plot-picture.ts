import { renderPng } from '../../flow/picture/picture-png.ts';
import { escapeXml } from '../../flow/picture/xml-text.ts';

const HEAD_PX = 36;
const MARGIN_PX = 16;
/** The height of a legend line and the assumed width of a letter. Pixels. */
const LEGEND_LINE_PX = 20;
const LETTER_PX = 7;

/** The style properties that a file must contain, since it has no style sheet. */
const LOOKS = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
] as const;

interface LegendEntry {
  readonly name: string;
  /** A CSS colour. */
  readonly colour: string;
}

/** Renders a chart as a PNG as it is on the screen, with its title and legend. Rejects if the chart cannot be drawn. */
export async function renderPicture(
  place: HTMLElement,
  title: string,
  legend: readonly LegendEntry[],
): Promise<Blob> {
  const drawn = place.querySelector<HTMLCanvasElement | SVGSVGElement>('canvas, svg[data-plot]');
  if (drawn === null) throw new Error('there is no picture');
  const { width, height } = drawn.getBoundingClientRect();
  const style = getComputedStyle(place);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  const inner =
    drawn instanceof HTMLCanvasElement
      ? `<image width="${width}" height="${height}" href="${drawn.toDataURL()}"/>`
      : new XMLSerializer().serializeToString(copyWithStyles(drawn, width, height));
  const marks = placeLegend(
    legend.map(({ name }) => name),
    width,
  );
  const foot = (marks.at(-1)?.y ?? -LEGEND_LINE_PX) + LEGEND_LINE_PX;
  const all = { width: width + 2 * MARGIN_PX, height: HEAD_PX + height + foot + MARGIN_PX };
  const text = `fill="${colour('--surface-text')}" font-family="${escapeXml(style.fontFamily)}"`;
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${all.width}" height="${all.height}">`,
    `<rect width="100%" height="100%" fill="${colour('--surface-card')}"/>`,
    `<text x="${MARGIN_PX}" y="24" font-size="14" font-weight="600" ${text}>${escapeXml(title)}</text>`,
    `<g transform="translate(${MARGIN_PX} ${HEAD_PX})">${inner}</g>`,
    ...legend.map(({ name, colour: mark }, index) => {
      const { x = 0, y = 0 } = marks[index] ?? {};
      const [left, middle] = [MARGIN_PX + x, HEAD_PX + height + LEGEND_LINE_PX / 2 + y];
      return `<rect x="${left}" y="${middle - 3}" width="12" height="6" fill="${escapeXml(resolveColour(mark, place))}"/><text x="${left + 18}" y="${middle + 4}" font-size="12" ${text}>${escapeXml(name)}</text>`;
    }),
    '</svg>',
  ].join('');
  return renderPng({ svg, ...all });
}

/** Returns a copy of the SVG with the styles of `LOOKS` written into it. */
function copyWithStyles(drawn: SVGSVGElement, width: number, height: number): Node {
  const copy = drawn.cloneNode(true);
  if (!(copy instanceof SVGSVGElement)) return copy;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const copies = copy.querySelectorAll('*');
  for (const [place, element] of drawn.querySelectorAll('*').entries()) {
    const target = copies[place];
    if (target === undefined) continue;
    const style = getComputedStyle(element);
    for (const look of LOOKS) target.setAttribute(look, style.getPropertyValue(look));
    target.removeAttribute('style');
    target.removeAttribute('class');
  }
  return copy;
}

/**
 * Returns the position of each legend entry, in pixels from the legend's corner. Entries wrap to the width of the picture; a name wider
 * than the picture has a line of its own.
 */
export function placeLegend(
  names: readonly string[],
  width: number,
): readonly { readonly x: number; readonly y: number }[] {
  let [x, y] = [0, 0];
  return names.map((name) => {
    const wide = 18 + name.length * LETTER_PX;
    if (x > 0 && x + wide > width) [x, y] = [0, y + LEGEND_LINE_PX];
    const place = { x, y };
    x += wide + 20;
    return place;
  });
}

/** Resolves `var(--name)` to its current colour. */
function resolveColour(colour: string, place: HTMLElement): string {
  const name = /^var\((--[\w-]+)\)$/.exec(colour)?.[1];
  return name === undefined ? colour : getComputedStyle(place).getPropertyValue(name).trim();
}

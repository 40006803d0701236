import { LETTER_PX } from '../frame/svg-label.ts';

/** The width of a figure's letter at 12 px. */
const VALUE_LETTER_PX = 7.3;
const GAP_PX = 16;
const SEPARATOR = ' · ';

/** The words of a bar: beside each other in one line, or the figure in lines of its own below the name. */
export interface BarLines {
  readonly isStacked: boolean;
  /** The figure of each row. */
  readonly texts: readonly (readonly string[])[];
}

/** All rows alike: where the name of one has no room beside its figure, the figures of all are below their names. */
export function layOutBars(
  rows: readonly { readonly label: string; readonly text: string }[],
  widthPx: number,
): BarLines {
  const isStacked = rows.some(({ label, text }) => {
    const takenPx = [...label].length * LETTER_PX + GAP_PX + [...text].length * VALUE_LETTER_PX;
    return takenPx > widthPx;
  });
  return { isStacked, texts: rows.map(({ text }) => (isStacked ? breakText(text, widthPx) : [text])) };
}

/** The room that a name has in its line. Pixels. */
export function roomForLabel(isStacked: boolean, text: string, widthPx: number): number {
  return isStacked ? widthPx : widthPx - [...text].length * VALUE_LETTER_PX - GAP_PX;
}

/** Breaks "32 · 100 %" into lines, with as many parts per line as fit. */
function breakText(text: string, widthPx: number): string[] {
  const lines: string[] = [];
  for (const part of text.split(SEPARATOR)) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}${SEPARATOR}${part}`;
    if (last !== undefined && [...longer].length * VALUE_LETTER_PX <= widthPx)
      lines[lines.length - 1] = longer;
    else lines.push(part);
  }
  return lines;
}

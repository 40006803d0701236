import { LETTER_PX } from '../frame/svg-label.ts';

/** The width of one character of a bar's value, in pixels at font size 12. */
const VALUE_LETTER_PX = 7.3;
const GAP_PX = 16;
const SEPARATOR = ' · ';

/** The texts of a bar chart: each bar's name and value on one line, or (`isStacked`) the value on lines of its own below the name. */
export interface BarLines {
  readonly isStacked: boolean;
  /** The value of each row, as lines of text. */
  readonly texts: readonly (readonly string[])[];
}

/** Lays out all rows alike: if one name does not fit next to its value, all values are placed below their names. */
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

/** Returns the width available for a name on its line. Pixels. */
export function measureLabelRoom(isStacked: boolean, text: string, widthPx: number): number {
  return isStacked ? widthPx : widthPx - [...text].length * VALUE_LETTER_PX - GAP_PX;
}

/** Breaks "32 · 100 %" into lines with as many parts per line as fit. */
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

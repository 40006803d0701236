/** The width of a letter of the monospace font at 12 px. */
export const LETTER_PX = 7.25;

/** Cuts a name to the available width, since SVG has no ellipsis. Replaces characters that XML forbids. */
export function labelWithin(name: string, widthPx: number): string {
  const fit = Math.max(1, Math.floor(widthPx / LETTER_PX));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are replaced
  const signs = [...name.toWellFormed().replace(/[\u0000-\u001f\u007f\ufffe\uffff]/g, '\u{FFFD}')];
  return signs.length <= fit ? signs.join('') : `${signs.slice(0, fit - 1).join('')}…`;
}

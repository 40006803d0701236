import { theme } from './theme.ts';

/**
 * Fetches the font of code together with the first data. Otherwise the browser fetches the font when the first code is shown, and
 * everything next to the code moves when the letters get another width.
 */
export function loadCodeFont(fonts: FontFaceSet): void {
  // Without the font, code is shown in the system's font.
  fonts.load(`13px ${theme.fontFamilyMonospace}`).catch(() => undefined);
}

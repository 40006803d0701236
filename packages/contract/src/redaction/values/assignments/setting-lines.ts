import { findRunEnd, findRunStart, isBlank, isLineEnd } from '../../texts/characters.ts';

/** Words without the signs of a command: `purple monkey dishwasher`. A comment can follow. */
const WORDS =
  /^((?:[ \t]{1,4}[^\s=‹"'`;|&<>/\\-][^\s=‹"'`;|&<>]{0,63}){1,15})[ \t]{0,4}(?: #[^\r\n]{0,200})?(?=\r?\n|$)/;
const SETTING = String.raw`[ \t]{0,8}(?:export )?[A-Za-z_][\w.-]{0,63} ?=`;
const OTHER_LINE = String.raw`(?:(?:#[^\r\n]{0,120})?\r?\n)?`;
const NEXT = new RegExp(String.raw`^\r?\n${OTHER_LINE}${SETTING}`);
const BEFORE = new RegExp(String.raw`(?:^|\n)${SETTING}[^\r\n]{0,160}\r?\n${OTHER_LINE}$`);
const MAX_LINE = 420;

/**
 * Finds the end of a value that contains blanks and fills the rest of its line. `name` is the start of the value's name, `end` the end of
 * the value's first word. Returns undefined unless the line before or after is a setting, too, as in a file of settings.
 */
export function findRestOfSetting(text: string, name: number, end: number): number | undefined {
  const words = isBlank(text.charCodeAt(end)) ? WORDS.exec(text.slice(end, end + MAX_LINE))?.[1] : undefined;
  if (words === undefined) return undefined;
  const line = findRunStart(text, name, (code) => !isLineEnd(code), 17);
  if (!/^\s{0,8}(?:export )?$/.test(text.slice(line, name))) return undefined;
  const last = end + words.length;
  const next = findRunEnd(text, last, (code) => !isLineEnd(code), last + MAX_LINE);
  const isBesideSetting =
    NEXT.test(text.slice(next, next + MAX_LINE)) ||
    BEFORE.test(text.slice(Math.max(0, line - MAX_LINE), line));
  return isBesideSetting ? last : undefined;
}

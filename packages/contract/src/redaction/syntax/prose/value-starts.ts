import { findRunEnd, isBlank } from '../../texts/characters.ts';

const MAX_AHEAD = 160;

/** Tags of HTML between a name and its value: `Your password: <b>X</b>`, `<strong>Password:</strong> X`. */
const TAGS =
  /^(?:\s{0,8}<\/?(?:b|strong|i|em|span|code|kbd|tt|mark|u|p|div|br|font|a|td|th|dt|dd|li|tr|h[1-6]|label)\b[^<>]{0,80}>){1,4}\s{0,8}/i;
/** The type of a value, as some languages print it before the value: `string(12) "X"`, `b'X'`, `Some("X")`. */
const TYPE =
  /^(?:string\(\d{1,6}\)[ \t]|(?:rb|br|Rb|bR|[bruNELUf]|Some\(|Just |SecretStr\(|Secret\(|new String\()(?=\\{0,4}["']))/;

/** Returns where a value begins if tags or the name of a type come before it; otherwise `start`. */
export function skipToValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === 0x3c) {
    const tags = TAGS.exec(text.slice(start, start + MAX_AHEAD))?.[0];
    return tags === undefined ? start : start + tags.length;
  }
  // The types begin with one of these letters.
  if (!TYPE_BEGINS.includes(text.charAt(start))) return start;
  const type = TYPE.exec(text.slice(start, start + 20))?.[0];
  return type === undefined ? start : start + type.length;
}

const TYPE_BEGINS = 'sSbBrRuNELUfJn';

/** The end of a label and the beginning of the cell or element with its value: `Password</td><td>X`. */
const NEXT_CELL =
  /^<\/(?:td|th|dt|label|strong|b|span|p)>\s{0,16}(?:<br\s?\/?>\s{0,8})?<(?:td|dd|span|code|p|b)\b[^<>]{0,80}>\s{0,8}(?:<(?:b|strong|code|kbd|em|i|span|tt|p)\b[^<>]{0,80}>\s{0,8}){0,2}/i;

/** Returns where the content of the next cell begins, if a label's element ends at `at`; otherwise undefined. */
export function startOfNextCell(text: string, at: number): number | undefined {
  const between = NEXT_CELL.exec(text.slice(at, at + MAX_AHEAD))?.[0];
  return between === undefined ? undefined : at + between.length;
}

/** Returns the start of the quoted string after a quoted name: `"requirepass" "X"`. */
export function startOfNextString(text: string, at: number): number | undefined {
  const start = findRunEnd(text, at + 1, isBlank, at + 3);
  return start > at + 1 && text.charCodeAt(start) === text.charCodeAt(at) ? start : undefined;
}

/**
 * Maximum depth of brackets. Native parsers recurse for each bracket and for each link of a chain, and a stack overflow ends the process:
 * on a thread's stack of 4 MB, after 557 nested functions (1,114 brackets) or 12,500 chained calls. The maximum in 59,000 library files is
 * 438 brackets and 1,621 links.
 */
const MAX_BRACKETS = 600;
const MAX_LINKS = 3000;
/** Stack space that one arrow function uses, as a number of chain links that use the same space. */
const ARROW_LINKS = 8;

const OPEN = 1;
const CLOSE = 2;
const END = 3;
const LINK = 4;
const ASSIGN = 5;
const LINE = 6;
/** All other operators. The expression continues after such an operator. */
const OPERATOR = 7;

const kinds = new Uint8Array(128);
for (const [characters, kind] of [
  ['([{', OPEN],
  [')]}', CLOSE],
  [';,', END],
  ['.?:!~', LINK],
  ['=', ASSIGN],
  ['\n', LINE],
  ['+-*/%&|^<>', OPERATOR],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/**
 * True if a source is nested too deeply for the parsers' stack. The check is a fast estimate: it counts strings and comments as code, and
 * each line break that can end a statement as the end of a statement.
 */
export function isTooDeep(source: string): boolean {
  const links = new Int32Array(MAX_BRACKETS + 1);
  let depth = 0;
  let last = 0;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (code === 32) continue;
    const kind = code < 128 ? (kinds[code] ?? 0) : 0;
    switch (kind) {
      case 0:
        break;
      case OPEN:
        if (++depth > MAX_BRACKETS) return true;
        links[depth] = 0;
        break;
      case CLOSE:
        if (depth > 0) depth--;
        break;
      case END:
        links[depth] = 0;
        break;
      case LINE:
        if (last < LINK && !continuesChain(source, index + 1)) links[depth] = 0;
        continue;
      case OPERATOR:
        break;
      default: {
        const isArrow = kind === ASSIGN && source.charCodeAt(index + 1) === 62;
        links[depth] = (links[depth] ?? 0) + (isArrow ? ARROW_LINKS : 1);
        if ((links[depth] ?? 0) > MAX_LINKS) return true;
      }
    }
    last = kind;
  }
  return false;
}

/** True if the line at `from` continues the chain of the previous line. */
function continuesChain(source: string, from: number): boolean {
  let index = from;
  while (source.charCodeAt(index) <= 32) index++;
  const kind = kinds[source.charCodeAt(index)] ?? 0;
  return kind === LINK || kind === ASSIGN;
}

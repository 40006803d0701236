import jsTokens from 'js-tokens';

/** Counts the braces that a source text opens and does not close; those in texts, comments and patterns are none. */
export function countOpenBraces(text: string): number {
  let open = 0;
  for (const { type, value } of jsTokens(text)) {
    if (type !== 'Punctuator') continue;
    if (value === '{') open++;
    else if (value === '}') open--;
  }
  return open;
}

import jsTokens from 'js-tokens';

/**
 * Counts the braces that source code opens but does not close. Braces in strings, comments and regular
 * expressions are ignored.
 */
export function countOpenBraces(text: string): number {
  let open = 0;
  for (const { type, value } of jsTokens(text)) {
    if (type !== 'Punctuator') continue;
    if (value === '{') open++;
    else if (value === '}') open--;
  }
  return open;
}

/** Escapes the characters of {@link INVISIBLE}, including line breaks, as JavaScript and JSON do: `\u202e`. */
export function escapeControlCharacters(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/**
 * Escapes the characters of {@link INVISIBLE}, except line breaks and tabs, for strings of several lines, such as stacks. Escaping the
 * output of `JSON.stringify` does not change the value that the JSON represents.
 */
export function escapeControlCharactersInLines(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** Characters that can disguise a string's order or content: control, bidirectional and tag characters, and most zero-width characters. */
export const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const units = character.split('');
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

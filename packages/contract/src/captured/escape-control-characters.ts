/** A name or message on one line, with control characters written out as JavaScript and JSON do: `\u202e`. */
export function escapeControlCharacters(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** A text on several lines, such as a stack, with all other control characters written out. JSON text stays the same JSON. */
export function escapeControlCharactersInLines(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** Control, direction-changing, zero-width and tag characters: text that would lie about its own order or content. */
export const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  const units = Array.from({ length: character.length }, (_unit, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

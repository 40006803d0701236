/** A name or message on one line, with control characters written out. */
export function quoteless(text: string): string {
  return text.replace(INVISIBLE, escapeCharacter);
}

/** A text on several lines, such as a stack, with all other control characters written out. */
export function quotelessLines(text: string): string {
  return text.replace(INVISIBLE, (character) =>
    character === '\n' || character === '\t' ? character : escapeCharacter(character),
  );
}

/** Control, direction-changing and zero-width characters: text that would lie about its own order or content. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

function escapeCharacter(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\r') return '\\r';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

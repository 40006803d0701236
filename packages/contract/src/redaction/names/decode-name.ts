const MAX_DECODED = 200;

/**
 * Decodes a name in a URL or a form: `contrase%C3%B1a`. If a cut split an encoded character at the name's beginning, the rest of this
 * character is dropped.
 */
export function decodeName(name: string): string {
  if (!name.includes('%') || name.length > MAX_DECODED) return name;
  return decode(name) ?? decode(name.replace(CUT_CHARACTERS, '')) ?? name;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const CUT_CHARACTERS = /^[0-9A-F]{0,2}(?:%[89AB][0-9A-F])*/i;

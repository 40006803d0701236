const PLACEHOLDER = /\{([a-z]+)\}/g;

/** Names of the placeholders, each once. */
export function placeholdersOf(text: string): string[] {
  const tokens = text.match(PLACEHOLDER) ?? [];
  return [...new Set(tokens.map((token) => token.slice(1, -1)))];
}

export function mentions(text: string, name: string): boolean {
  let token: RegExpExecArray | null;
  while ((token = PLACEHOLDER.exec(text)) !== null) {
    if (token[1] === name) return true;
  }
  return false;
}

/** An attribute that a request or one of its steps must have. */
export interface AttributeTerm {
  readonly name: string;
  /** The value as a string, even if a number, true, false or null was sent; undefined matches any value. */
  readonly value: string | undefined;
}

const WRITTEN = /^(?:"((?:[^"\\]|\\.)+)"|([^":][^:]*))(?::(.*))?$/s;

/** Parses `name:value`, or only `name`, or `"name":value` if the name contains a colon. Returns undefined for any other text. */
export function parseAttributeTerm(text: string): AttributeTerm | undefined {
  const [, quoted, plain, value] = WRITTEN.exec(text) ?? [];
  const name = quoted === undefined ? plain : unquote(quoted);
  return name === undefined ? undefined : { name, value };
}

function unquote(text: string): string | undefined {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}

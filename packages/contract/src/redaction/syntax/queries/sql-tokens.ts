/** A token of an SQL statement. */
export interface SqlToken {
  /** The text in lower case; a quoted name has its quotes. */
  readonly text: string;
  readonly isPlaceholder: boolean;
  readonly isName: boolean;
}

const TOKEN =
  /'(?:[^']|'')*'|--[^\n]*|\/\*(?:[^*]|\*(?!\/))*\*\/|"[^"]*"|`[^`]*`|(?<placeholder>\?\d{0,5}|\$\w+|(?<![:\w]):\w+|@\w+)|(?<name>[\p{L}_][\p{L}\p{M}\p{N}_$]*)|\d[\d.]*|[(),;.[\]]|::|@@|@>|<@|[^\s\w'"`(),;.?$@:[\]\p{L}]+|\S/gu;
const COMMENT = /^(?:--|\/\*)/;

/** Splits a statement. Leaves out comments. */
export function splitSql(statement: string): readonly SqlToken[] {
  const tokens: SqlToken[] = [];
  for (const { 0: text, groups } of statement.matchAll(TOKEN)) {
    if (COMMENT.test(text)) continue;
    tokens.push({
      text: text.toLowerCase(),
      isPlaceholder: groups?.placeholder !== undefined,
      isName: groups?.name !== undefined || /^["`]/.test(text),
    });
  }
  return tokens;
}

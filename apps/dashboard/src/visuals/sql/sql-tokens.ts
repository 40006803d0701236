/** The kind of a token of a query. */
type SqlTokenKind = 'keyword' | 'string' | 'number' | 'comment' | 'parameter' | 'other';

export interface SqlToken {
  readonly kind: SqlTokenKind;
  readonly text: string;
}

const KEYWORDS = new Set(
  `add all alter and any as asc begin between by cascade case cast check collate column commit conflict constraint create cross current
  current_date current_timestamp database declare default delete desc distinct do drop else end except exists explain false fetch filter
  first following for foreign from full function grant group having if ilike in index inner insert intersect interval into is join key
  last lateral left like limit lock merge natural not null nulls of offset on only or order outer over partition preceding primary
  procedure range recursive references rename replace restrict returning revoke right rollback row rows savepoint schema select set
  skip some table temporary then to transaction trigger true truncate unbounded union unique update upsert use using values view when
  where window with`.split(/\s+/),
);

// Comments and quoted strings come first, so that their content is not matched as anything else. An unclosed comment or string extends to
// the end.
const TOKEN =
  /(?<comment>--[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))|(?<string>'(?:[^'\\]|''|\\[\s\S])*(?:'|\\?$))|(?<quoted>"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$))|(?<parameter>\$\d+|\?|(?<![:\w]):[A-Za-z_]\w*|@\w+)|(?<number>(?<![\w$])\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w))|(?<word>[A-Za-z_][\w$]*)/gi;

/** Splits any query into tokens for colouring. Joined, the tokens give the query again. Uses the same rules for all dialects of SQL. */
export function splitSql(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  const add = (kind: SqlTokenKind, text: string) => {
    const last = tokens.at(-1);
    if (text === '') return;
    if (last !== undefined && last.kind === kind)
      tokens[tokens.length - 1] = { kind, text: last.text + text };
    else tokens.push({ kind, text });
  };
  let end = 0;
  for (const match of sql.matchAll(TOKEN)) {
    add('other', sql.slice(end, match.index));
    add(findKind(match), match[0]);
    end = match.index + match[0].length;
  }
  add('other', sql.slice(end));
  return tokens;
}

function findKind({ 0: text, groups }: RegExpExecArray): SqlTokenKind {
  if (groups?.comment !== undefined) return 'comment';
  if (groups?.string !== undefined) return 'string';
  if (groups?.parameter !== undefined) return 'parameter';
  if (groups?.number !== undefined) return 'number';
  return groups?.word !== undefined && KEYWORDS.has(text.toLowerCase()) ? 'keyword' : 'other';
}

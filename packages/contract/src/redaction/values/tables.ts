import type { CapturedValue } from '../../values.ts';
import { isTagged } from '../../values.ts';
import { isCounted, type NameVerdict } from '../names/verdicts.ts';
import { isStateWord } from '../shapes/plausible.ts';
import { type Fields, hasNoContent, isCount, isList, isRedacted } from '../syntax/forms.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';
import { findNamingRole } from './naming.ts';
import { isNameLike, readNaming } from './structure.ts';

/** Names of members that list the names of columns for rows in a sibling: `{columns: ['id', 'password'], rows: [[1, 'X']]}`. */
const COLUMNS = new Set(
  `columns column cols fields field headers header head thead keys names columnnames colnames columninfo columnmetadata columndefs fieldnames keynames
  headings headerrow attributes properties schema meta metadata params parameters variables returning`.split(
    /\s+/,
  ),
);
/** Members that contain the cells of a single row. */
const SINGLE_ROWS = new Set(
  'rows row values value data record records cells vals args arguments params bindings items tuple result results body'.split(
    ' ',
  ),
);
const MAX_KEY = 20;
const MAX_COLUMNS = 1000;

type Judge = (name: string) => NameVerdict;
type Hide = (cell: CapturedValue, verdict: NameVerdict) => CapturedValue;
/** Verdicts on the names of a table's columns, which apply to the cells in those columns. */
type Columns = readonly NameVerdict[];

function normalize(key: string): string {
  return key.replace(/[_-]/g, '').toLowerCase();
}

/** True if a member of this name can list the names of columns. */
export function mayListColumns(key: string): boolean {
  return key.length <= MAX_KEY && (COLUMNS.has(normalize(key)) || /names$/i.test(key));
}

/** Returns the items of a list, which can be cut off. */
function readList(value: CapturedValue): readonly CapturedValue[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isList(value)) return value;
  return isTagged(value) && value.$type === 'array' ? value.values : undefined;
}

const MAX_ROW_KEYS = 3;

/** Returns the cells of a row. A row is a list, or an object that contains a single list, such as `{"f": […]}`. */
function readCells(row: CapturedValue): readonly CapturedValue[] | undefined {
  const list = readList(row);
  if (list !== undefined || typeof row !== 'object' || row === null || isTagged(row) || isList(row))
    return list;
  let cells: readonly CapturedValue[] | undefined;
  let count = 0;
  for (const key in row) {
    const found = readList(row[key] ?? null);
    if (++count > MAX_ROW_KEYS || (found !== undefined && cells !== undefined)) return undefined;
    cells ??= found;
  }
  return cells;
}

/** Returns the verdict on a column's name. A heading is this name as a string, or an object that contains the name. */
function judgeHeading(heading: CapturedValue, judge: Judge): NameVerdict | undefined {
  if (typeof heading === 'string') {
    const name = readNaming(heading);
    return name === undefined ? 'plain' : judge(name);
  }
  if (typeof heading !== 'object' || heading === null || isList(heading) || isTagged(heading))
    return undefined;
  let verdict: NameVerdict | undefined;
  for (const key of Object.keys(heading)) {
    const text = heading[key];
    const name = typeof text === 'string' && isHeadingKey(key) ? readNaming(text) : undefined;
    if (name === undefined) continue;
    verdict ??= 'plain';
    if (verdict === 'plain') verdict = judge(name);
  }
  return verdict;
}

const TYPES = new Set(['type', 'kind']);

function isHeadingKey(key: string): boolean {
  return (
    !TYPES.has(key.toLowerCase()) && (findNamingRole(key) !== undefined || HEADING_KEYS.has(normalize(key)))
  );
}

const HEADING_KEYS = new Set([
  'accessor',
  'accessorkey',
  'dataindex',
  'dataindx',
  'columnlabel',
  'text',
  'value',
  'varcharvalue',
  'v',
  'content',
]);

/** Returns the verdicts on the column names in a list. Returns undefined if the list has other items, or if no column contains secrets. */
function judgeHeadings(list: readonly CapturedValue[] | undefined, judge: Judge): Columns | undefined {
  if (list === undefined || list.length === 0 || list.length > MAX_COLUMNS) return undefined;
  const columns: NameVerdict[] = [];
  for (const heading of list) {
    const verdict = judgeHeading(heading, judge);
    if (verdict === undefined) return undefined;
    columns.push(verdict);
  }
  return columns.every((verdict) => verdict === 'plain') ? undefined : columns;
}

/** Finds the secret columns by the names that an object lists, directly or one object deeper: `{schema: {fields: […]}}`. */
function findColumns(
  fields: Fields,
  judge: Judge,
): { readonly key: string; readonly columns: Columns } | undefined {
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value === undefined || !mayListColumns(key)) continue;
    const columns = judgeHeadings(readList(value), judge) ?? findColumnsBelow(value, judge);
    if (columns !== undefined) return { key, columns };
  }
  return undefined;
}

function findColumnsBelow(value: CapturedValue, judge: Judge): Columns | undefined {
  if (typeof value !== 'object' || value === null || isList(value) || isTagged(value)) return undefined;
  for (const key of Object.keys(value)) {
    const columns = mayListColumns(key) ? judgeHeadings(readList(value[key] ?? null), judge) : undefined;
    if (columns !== undefined) return columns;
  }
  return undefined;
}

/**
 * Hides the cells of secret columns in `fields`, which contains rows. `named` contains the names of the rows' columns. Returns the same
 * object if there are no secret columns.
 */
export function hideColumns(fields: Fields, named: Fields, judge: Judge, hide: Hide): Fields {
  const found = findColumns(named, judge);
  if (found === undefined) return fields;
  let shown: { [key: string]: CapturedValue } | undefined;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value === undefined || key === found.key) continue;
    const isSingle = key.length <= MAX_KEY && SINGLE_ROWS.has(normalize(key));
    const result = hideInMember(value, found.columns, isSingle, hide);
    if (result === value) continue;
    shown ??= { ...fields };
    shown[key] = result;
  }
  return shown ?? fields;
}

function hideInMember(value: CapturedValue, columns: Columns, isSingle: boolean, hide: Hide): CapturedValue {
  const list = readList(value);
  if (list === undefined) return hideBelow(value, columns, hide);
  const isTable = list.some((row) => readCells(row) !== undefined);
  if (isTable) return replaceList(value, hideInRows(list, columns, hide));
  return isSingle && list.length === columns.length
    ? replaceList(value, hideInRow(list, columns, hide))
    : value;
}

/** Hides cells in rows that are one object deeper than the columns' names: `{columns, result: {rows}}`. */
function hideBelow(value: CapturedValue, columns: Columns, hide: Hide): CapturedValue {
  if (typeof value !== 'object' || value === null || isList(value) || isTagged(value)) return value;
  let shown: { [key: string]: CapturedValue } | undefined;
  for (const key of Object.keys(value)) {
    const member = value[key] ?? null;
    const list = readList(member);
    if (list === undefined || !list.some((row) => readCells(row) !== undefined)) continue;
    const result = replaceList(member, hideInRows(list, columns, hide));
    if (result === member) continue;
    shown ??= { ...value };
    shown[key] = result;
  }
  return shown ?? value;
}

/** Hides cells in rows, which have one cell for each column. The given lists can also be columns, which have one cell for each row. */
function hideInRows(rows: readonly CapturedValue[], columns: Columns, hide: Hide): readonly CapturedValue[] {
  const isOfRows = rows.some((row) => readCells(row)?.length === columns.length);
  if (!isOfRows && rows.length === columns.length)
    return hideEach(rows, (column, index) => {
      const verdict = columns[index] ?? 'plain';
      const cells = readList(column);
      if (verdict === 'plain' || cells === undefined) return column;
      return replaceList(
        column,
        hideEach(cells, (cell) => hideCell(cell, verdict, hide)),
      );
    });
  return hideEach(rows, (row) => {
    const cells = readCells(row);
    if (cells === undefined || cells.length > columns.length) return row;
    return replaceCells(row, cells, hideInRow(cells, columns, hide));
  });
}

function hideInRow(cells: readonly CapturedValue[], columns: Columns, hide: Hide): readonly CapturedValue[] {
  return hideEach(cells, (cell, index) => hideCell(cell, columns[index] ?? 'plain', hide));
}

function hideCell(cell: CapturedValue, verdict: NameVerdict, hide: Hide): CapturedValue {
  if (verdict === 'plain' || hasNoContent(cell) || (isCounted(verdict) && isCount(cell))) return cell;
  return hide(cell, verdict);
}

/** Replaces each item by what `show` returns. Returns the same list if no item changes. */
export function hideEach(
  list: readonly CapturedValue[],
  show: (item: CapturedValue, index: number) => CapturedValue,
): readonly CapturedValue[] {
  let shown: CapturedValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index] ?? null;
    const result = show(item, index);
    if (result === item) continue;
    shown ??= [...list];
    shown[index] = result;
  }
  return shown ?? list;
}

/** Returns the value with its items replaced by those of `list`. */
function replaceList(value: CapturedValue, list: readonly CapturedValue[]): CapturedValue {
  if (readList(value) === list) return value;
  return typeof value === 'object' && value !== null && !isList(value)
    ? ({ ...value, values: list } as CapturedValue)
    : list;
}

function replaceCells(
  row: CapturedValue,
  cells: readonly CapturedValue[],
  shown: readonly CapturedValue[],
): CapturedValue {
  if (cells === shown) return row;
  if (readList(row) === cells) return replaceList(row, shown);
  if (typeof row !== 'object' || row === null || isList(row)) return row;
  const fields: Fields = row as Fields;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      readList(value) === cells ? replaceList(value, shown) : value,
    ]),
  );
}

/**
 * Hides the cells of secret columns in a list whose first row names the columns: `[['id', 'password'], [1, 'X']]`. Returns the same list
 * if it is not such a table.
 */
export function hideBelowHeader(
  list: readonly CapturedValue[],
  named: readonly CapturedValue[],
  judge: Judge,
  hide: Hide,
  show: (text: string) => string,
): readonly CapturedValue[] {
  const [first, second] = named;
  const headings = first === undefined ? undefined : readCells(first);
  if (headings === undefined || headings.length < 2 || second === undefined) return list;
  const shownHeadings = readCells(list[0] ?? null);
  const names = headings.map((heading, index) => {
    if (isHeading(heading, show)) return heading;
    // In a first row of two items, a hidden second item is more often the value of a pair than a heading.
    const mayHide = headings.length > 2 || index === 0 || isHeadingOfOwner(headings[0] ?? null);
    if (!mayHide) return undefined;
    // Below a name such as `token`, a heading with a secret part was hidden as a whole. The rest of the original heading can still name the
    // column.
    const text = typeof heading === 'string' ? show(heading) : heading;
    const name = text === heading ? undefined : readHiddenHeading(text);
    return name ?? readHiddenHeading(shownHeadings?.[index] ?? null);
  });
  if (!names.every((name) => name !== undefined)) return list;
  const columns = judgeHeadings(names, judge);
  if (columns === undefined) return list;
  return hideEach(list, (row, index) => {
    const cells = index === 0 ? undefined : readCells(row);
    if (cells === undefined || cells.length !== columns.length) return row;
    const shown = hideInRow(cells, columns, (cell, verdict) =>
      mayBeSecretCell(cell) ? hide(cell, verdict) : cell,
    );
    // The rows can also be pairs. If the first cell was hidden, the second cell is hidden, too: it can be the value of
    // a pair, and a second redaction could not judge the value without its name.
    const isNameHidden = columns.length === 2 && shown[0] !== cells[0];
    return replaceCells(
      row,
      cells,
      isNameHidden ? shown.map((cell) => hideCell(cell, 'secret', hide)) : shown,
    );
  });
}

function isHeading(heading: CapturedValue, show: (text: string) => string): boolean {
  return typeof heading === 'string'
    ? isNameLike(heading) && show(heading) === heading
    : !isRedacted(heading);
}

/** Names of columns that tell whom or what a row is about. A first row that begins with such a name rarely is a pair. */
const OWNER =
  /^(?:id|uid|uuid|user|users?[_ -]?(?:id|name)|login|e?mail|account|host|service|customer|person|owner|client|member|device)$/i;

function isHeadingOfOwner(heading: CapturedValue): boolean {
  return typeof heading === 'string' && OWNER.test(heading);
}

/**
 * Returns a heading with a letter in place of its hidden parts, and an empty name if it is hidden as a whole. The other headings can still
 * name secret columns.
 */
function readHiddenHeading(shown: CapturedValue): string | undefined {
  if (typeof shown !== 'string') return isRedacted(shown) ? '' : undefined;
  const name = shown.replaceAll(REDACTED_TEXT, 'x');
  return name !== shown && isNameLike(name) ? name : undefined;
}

/**
 * False for the word of a state, such as `required`. Such a word is shown even in a column of secrets, because a list that looks like a
 * table can also be a list of names and values: `[['type', 'password'], ['hint', 'required']]`.
 */
function mayBeSecretCell(cell: CapturedValue): boolean {
  return typeof cell !== 'string' || !isStateWord(cell);
}

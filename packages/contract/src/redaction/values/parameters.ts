import { type CapturedValue, isTagged } from '../../values.ts';
import { type Fields, hasNoContent, isHidden, isList, isRedacted } from '../syntax/forms.ts';
import { isLoginCommand, isStatement, type SecretParameters } from '../syntax/queries/sql-parameters.ts';
import { REDACTED_TEXT } from '../texts/characters.ts';
import { findNamingRole } from './naming.ts';
import { hideEach } from './tables.ts';

/** Names of members that contain parameters. The SQL statement is in a sibling member. */
const PARAMETERS = new Set(
  'values params parameters bindings binds bind args arguments replacements inputs input variables data vals row rows parameter parameterset parametersets queryparams sqlparams'.split(
    ' ',
  ),
);
const MAX_KEY = 20;
/** OpenTelemetry's flat keys, such as `db.query.parameter.0`. */
const FLAT_KEY = /\b(?:param(?:eter)?s?|bind(?:ing)?s?|args?|variables?)[._[]{1,2}[:@$]?(\w{1,64})\]?$/i;

/** A tagged template with more strings than this is not examined. */
const MAX_STRINGS = 200;

type Hide = (value: CapturedValue) => CapturedValue;

/** Returns the SQL statement in a value. The value is a string, which can be cut off, or the strings of a tagged template. */
export function readStatement(value: CapturedValue): string | undefined {
  if (typeof value === 'string') return isStatement(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (isList(value)) {
    const [first] = value;
    if (typeof first !== 'string' || value.length < 2 || value.length > MAX_STRINGS) return undefined;
    if (!isStatement(first) || !value.every((part) => typeof part === 'string' || isHidden(part, 'string')))
      return undefined;
    // The other items are ignored for this command. The redaction at capture can have hidden some of them, such as the user.
    if (isLoginCommand(first)) return `${first}?`;
    return value.map((part) => (typeof part === 'string' ? part : '')).join('?');
  }
  if (!isTagged(value) || value.$type !== 'string' || typeof value.value !== 'string') return undefined;
  return isStatement(value.value) ? value.value : undefined;
}

/** Hides the secret parameters in an object that contains an SQL statement and its parameters. */
export function hideInFields(fields: Fields, key: string, found: SecretParameters, hide: Hide): Fields {
  let shown: { [key: string]: CapturedValue } | undefined;
  for (const other of Object.keys(fields)) {
    const value = fields[other];
    if (value === undefined || other === key) continue;
    const flat = FLAT_KEY.exec(other)?.[1];
    const isParameters = isParametersKey(other);
    const result =
      flat !== undefined && !Array.isArray(value)
        ? hideIf(isSecretKey(flat, found), value, hide)
        : typeof value === 'string'
          ? isParameters
            ? hideInText(value, found, hide)
            : value
          : hideInParameters(value, found, isParameters, hide);
    if (result === value) continue;
    shown ??= { ...fields };
    shown[other] = result;
  }
  return shown ?? fields;
}

/** True for a member that contains parameters: `params`, `db.query.parameters`, `db.postgresql.values`. */
function isParametersKey(key: string): boolean {
  const last = key.slice(key.lastIndexOf('.') + 1);
  return last.length <= MAX_KEY && PARAMETERS.has(last.replace(/[_-]/g, '').toLowerCase());
}

/** Hides the secret parameters in a list or an object that was written as JSON. */
function hideInText(text: string, found: SecretParameters, hide: Hide): CapturedValue {
  if (!/^\s*[[{]/.test(text)) return text;
  let value: CapturedValue;
  try {
    value = JSON.parse(text);
  } catch {
    // The text was cut off or is not JSON, so its items cannot be assigned to the placeholders. Hides the whole text if any parameter is
    // secret.
    return found.indexes.size + found.names.size > 0 ? hide(text) : text;
  }
  const shown = hideInParameters(value, found, true, (part) => {
    hide(part);
    return REDACTED_TEXT;
  });
  return shown === value ? text : JSON.stringify(shown);
}

function hideIf(isSecret: boolean, value: CapturedValue, hide: Hide): CapturedValue {
  return isSecret ? hide(value) : value;
}

/** True if the key names a secret parameter. Keys that are numbers count from 0. */
function isSecretKey(key: string, { indexes, names }: SecretParameters): boolean {
  return /^\d+$/.test(key) ? indexes.has(Number(key)) : names.has(key);
}

/**
 * Marks the secret parameters when {@link hideInList} searches for the list that contains them. Differs from every item, including items
 * that were hidden before.
 */
const HIDDEN: CapturedValue = { $type: 'redacted', of: 'parameter' };

function markHidden(value: CapturedValue): CapturedValue {
  return hasNoContent(value) && !isRedacted(value) ? value : HIDDEN;
}

/** Hides the secret parameters in a list with an SQL statement at `at`: `[sql, [a, b]]`, `[sql, a, b]`. */
export function hideInList(
  list: readonly CapturedValue[],
  at: number,
  found: SecretParameters,
  hide: Hide,
): readonly CapturedValue[] {
  const given = list.findIndex(
    (item, index) => index > at && hideInParameters(item, found, true, markHidden) !== item,
  );
  return hideEach(list, (item, index) => {
    if (index <= at) return item;
    const shown = given < 0 ? item : hideInParameters(item, found, true, hide);
    // Items before the list of the parameters are parameters themselves. Without such a list, all items are parameters.
    return shown === item && (given < 0 || index < given)
      ? hideArgument(item, index - at - 1, found, hide)
      : shown;
  });
}

const SINGLE_VALUES = new Set(['string', 'bigint', 'Buffer', 'Date']);

/** Hides an argument beside the statement if it is a secret parameter. */
function hideArgument(
  item: CapturedValue,
  index: number,
  found: SecretParameters,
  hide: Hide,
): CapturedValue {
  if (typeof item !== 'object' || item === null) return hideIf(found.indexes.has(index), item, hide);
  const columns = found.columns.get(index);
  if (isList(item)) return columns === undefined ? item : hideInRows(item, columns, hide);
  const isSecret = isTagged(item) && SINGLE_VALUES.has(item.$type) && found.indexes.has(index);
  return hideIf(isSecret, item, hide);
}

/**
 * `isParameters`: the value is known to contain the parameters. Otherwise, a list must have as many items as the statement has parameters.
 */
function hideInParameters(
  value: CapturedValue,
  found: SecretParameters,
  isParameters: boolean,
  hide: Hide,
): CapturedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return hideInValues(value, found, isParameters, hide);
  if (!isTagged(value)) return hideByName(value, found, isParameters, hide);
  if (value.$type === 'array') {
    const values = hideInValues(value.values, found, isParameters, hide);
    return values === value.values ? value : { ...value, values };
  }
  if (value.$type !== 'object') return value;
  const properties = hideByName(value.properties, found, isParameters, hide);
  return properties === value.properties ? value : { ...value, properties };
}

function hideInValues(
  list: readonly CapturedValue[],
  found: SecretParameters,
  isParameters: boolean,
  hide: Hide,
): readonly CapturedValue[] {
  const [first] = list;
  const isBatch =
    typeof first === 'object' &&
    first !== null &&
    (isList(first) || !isTagged(first)) &&
    list.every(isObject);
  const isComplete = list.length === found.count && found.count > 1;
  const isOfAll = isParameters || isComplete;
  // Parameters can be lists themselves: `unnest($1::text[], $2::text[])`. A list with the length of a row can also be a row. If only some
  // items have this length, the secret parts of both readings are hidden.
  const isRow = (item: CapturedValue) => isList(item) && item.length === found.count;
  const areLists = isComplete && list.some((item) => isList(item) && !isRow(item));
  const areRows = isBatch && (!areLists || list.some(isRow));
  return hideEach(list, (item, index) => {
    const columns = isOfAll ? found.columns.get(index) : undefined;
    if (columns !== undefined) return Array.isArray(item) ? hideInRows(item, columns, hide) : item;
    if (areLists && found.indexes.has(index)) return hide(item);
    if (areRows && isList(item)) return hideInValues(item, found, isParameters, hide);
    if (isBatch && !areLists) return hideNamed(item, index, found, isOfAll, hide);
    return hideIf(isOfAll && found.indexes.has(index), item, hide);
  });
}

function hideInRows(
  rows: readonly CapturedValue[],
  columns: ReadonlySet<number>,
  hide: Hide,
): readonly CapturedValue[] {
  return hideEach(rows, (row) =>
    typeof row === 'object' && row !== null && isList(row)
      ? hideEach(row, (cell, index) => hideIf(columns.has(index), cell, hide))
      : row,
  );
}

function isObject(value: CapturedValue): boolean {
  return typeof value === 'object' && value !== null;
}

/** Hides a parameter that is an object: `{name: 'token', value: 'X'}`, `{type: 'VARCHAR', value: 'X'}` or `{token: 'X'}`. */
function hideNamed(
  item: CapturedValue,
  index: number,
  found: SecretParameters,
  isOfAll: boolean,
  hide: Hide,
): CapturedValue {
  if (typeof item !== 'object' || item === null || isList(item) || isTagged(item)) return item;
  const keys = Object.keys(item);
  const naming = keys.find((key) => findNamingRole(key) === 'name' && typeof item[key] === 'string');
  const name = naming === undefined ? undefined : item[naming];
  if (typeof name === 'string') return found.names.has(clean(name)) ? hideOthers(item, naming, hide) : item;
  if (isOfAll && found.indexes.has(index) && keys.some((key) => /^(?:.*value|val|v)$/i.test(key)))
    return hideOthers(item, undefined, hide);
  return hideByName(item, found, isOfAll, hide);
}

function hideOthers(item: Fields, naming: string | undefined, hide: Hide): Fields {
  const shown = Object.entries(item).map(
    ([key, value]) => [key, key === naming || /type$/i.test(key) ? value : hide(value)] as const,
  );
  return shown.every(([key, value]) => value === item[key]) ? item : Object.fromEntries(shown);
}

function clean(name: string): string {
  return name.replace(/^[:@$]/, '');
}

function hideByName(fields: Fields, found: SecretParameters, isParameters: boolean, hide: Hide): Fields {
  let shown: { [key: string]: CapturedValue } | undefined;
  // OpenTelemetry counts parameters without a name from 0, SQLite and Oracle from 1.
  const fromZero = Object.hasOwn(fields, '0');
  for (const key of Object.keys(fields)) {
    const name = clean(key);
    const value = fields[key];
    if (value === undefined) continue;
    const isIndex = /^\d/.test(name);
    if (isIndex && !isParameters) continue;
    const isSecret = isIndex && fromZero ? found.indexes.has(Number(name)) : found.names.has(name);
    if (!isSecret) continue;
    const result = hide(value);
    if (result === value) continue;
    shown ??= { ...fields };
    shown[key] = result;
  }
  return shown ?? fields;
}

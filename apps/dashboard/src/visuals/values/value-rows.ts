import type { CapturedValue } from '@throughline/contract';
import {
  type ChildLabel,
  classifyValue,
  formatPath,
  hasParts,
  LINE_LENGTH,
  listParts,
  summarise,
  type ValueChild,
  type ValueSummary,
} from '@throughline/contract/captured';

/** A row of the tree. */
export type ValueRow = ValueNodeRow | MissingRow;

export interface ValueNodeRow {
  readonly kind: 'value';
  /** Unique in the tree, and stable while the tree is shown. */
  readonly key: string;
  /** The level; 1 at the top. */
  readonly level: number;
  /** The name of the value in its parent; undefined for a value without a parent. */
  readonly label: ChildLabel | undefined;
  readonly value: CapturedValue;
  readonly summary: ValueSummary;
  /** True if the rows of the value's parts are shown; undefined if the value has no parts. */
  readonly open: boolean | undefined;
  /** The whole string, if it is too long or has too many lines for one row. */
  readonly longText: string | undefined;
  /** The expression by which code would access the value. */
  readonly path: string;
  readonly place: number;
  readonly siblings: number;
  /** True if the row matches the search. */
  readonly hit: boolean;
}

/** A row with the number of parts that were not captured. */
export interface MissingRow {
  readonly kind: 'missing';
  readonly key: string;
  readonly level: number;
  readonly count: number;
  readonly place: number;
  readonly siblings: number;
}

/** The rows that match a search, by key. */
export interface FoundLines {
  readonly hits: ReadonlySet<string>;
  /** The keys to open so that hits are visible: all parents of a hit, and a long string that contains the search string. */
  readonly open: ReadonlySet<string>;
  /** True if rows without a hit are shown, too. */
  readonly listsAll?: true;
}

interface Walk {
  readonly rows: ValueRow[];
  readonly toggled: ReadonlySet<string>;
  readonly found: FoundLines | undefined;
}

/**
 * Returns the rows of a value's tree. `toggled` contains the keys of the rows that the user opened, or closed after a search had opened
 * them. The parts of a closed row are never read. A plain object has no row of its own: its parts are the top level. Any other value has
 * one row at the top. With `found`, returns only the hits, with their parts and parents.
 */
export function listValueRows(
  value: CapturedValue,
  rootPath: readonly (string | number)[],
  toggled: ReadonlySet<string>,
  found?: FoundLines,
): ValueRow[] {
  const walk: Walk = { rows: [], toggled, found };
  if (classifyValue(value).kind === 'object' && hasParts(value))
    addParts(walk, value, '', formatPath(rootPath), 1);
  else addValue(walk, { label: undefined, value }, '$', formatPath(rootPath), 1, 1, 1);
  return walk.rows;
}

/** Returns the key of an object's member, at the top level of the object's tree. Returns no key if there is no such member. */
export function listMemberKeys(value: CapturedValue, member: string | undefined): ReadonlySet<string> {
  if (member === undefined || classifyValue(value).kind !== 'object') return NO_KEYS;
  const at = listParts(value).children.findIndex(
    ({ label }) => label.kind === 'key' && label.text === member,
  );
  return at === -1 ? NO_KEYS : new Set([`/${at}`]);
}

const NO_KEYS: ReadonlySet<string> = new Set();

function addParts(walk: Walk, value: CapturedValue, key: string, path: string, level: number): void {
  const { children, missing } = listParts(value);
  const siblings = children.length + (missing > 0 ? 1 : 0);
  for (const [index, child] of children.entries()) {
    const childKey = `${key}/${index}`;
    if (isListed(walk, childKey))
      addValue(walk, child, childKey, formatChildPath(path, child.label), level, index + 1, siblings);
  }
  if (missing > 0 && isListed(walk, `${key}/…`)) {
    walk.rows.push({ kind: 'missing', key: `${key}/…`, level, count: missing, place: siblings, siblings });
  }
}

/** True for a hit, its parents and its parts; always true without a search. */
function isListed({ found }: Walk, key: string): boolean {
  if (found === undefined || found.listsAll === true || found.hits.has(key) || found.open.has(key))
    return true;
  for (let end = key.lastIndexOf('/'); end > 0; end = key.lastIndexOf('/', end - 1)) {
    if (found.hits.has(key.slice(0, end))) return true;
  }
  return false;
}

function addValue(
  walk: Walk,
  { label, value }: { readonly label: ChildLabel | undefined; readonly value: CapturedValue },
  key: string,
  path: string,
  level: number,
  place: number,
  siblings: number,
): void {
  const long = findLongText(value);
  const opens = long !== undefined || hasParts(value);
  const open = opens ? walk.toggled.has(key) !== (walk.found?.open.has(key) ?? false) : undefined;
  walk.rows.push({
    kind: 'value',
    key,
    level,
    label,
    value,
    summary: summarise(value),
    open,
    longText: open === true ? long : undefined,
    path,
    place,
    siblings,
    hit: walk.found?.hits.has(key) ?? false,
  });
  if (open === true && long === undefined) addParts(walk, value, key, path, level + 1);
}

/** Returns a string value that is too long, or has too many lines, for one row. Returns undefined for any other value. */
export function findLongText(value: CapturedValue): string | undefined {
  if (typeof value !== 'string' && (value === null || typeof value !== 'object')) return undefined;
  const shape = classifyValue(value);
  const text =
    shape.kind === 'simple'
      ? shape.value
      : shape.kind === 'form' && shape.form.$type === 'string'
        ? shape.form.value
        : '';
  if (typeof text !== 'string') return undefined;
  return text.length > LINE_LENGTH / 2 || text.includes('\n') ? text : undefined;
}

function formatChildPath(path: string, label: ValueChild['label']): string {
  switch (label.kind) {
    case 'index':
      return `${path}[${label.index}]`;
    case 'entry':
      return `${path}.get(${formatEntryKey(label.key)})`;
    default: {
      const part = formatPath([label.text]);
      return path === '' || part.startsWith('[') ? path + part : `${path}.${part}`;
    }
  }
}

function formatEntryKey(key: CapturedValue): string {
  return typeof key === 'string' ? JSON.stringify(key) : summarise(key).text;
}

/** Returns the index of the row of a row's parent, which the left arrow key selects. Returns -1 at the top level. */
export function findParentRow(rows: readonly ValueRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let before = index - 1; before >= 0; before -= 1) {
    if ((rows[before]?.level ?? level) < level) return before;
  }
  return -1;
}

import { types } from 'node:util';
import type { Redactor, StatementValues } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { readOwnValue } from '../../internal/foreign.ts';
import type { ActiveStep } from '../active-step.ts';
import type { Snapshotter } from '../snapshot/snapshot.ts';
import { getPrototypeOf, isArray, isProxy, objectKeys, objectPrototype } from '../writer/primordials.ts';
import type { CaptureRules } from './capture-rules.ts';
import type { Meter } from './metering.ts';

/** Maximum number of rows that are captured per query. */
const MAX_ROWS = 5;
/** Maximum size of the rows of one query, in bytes of JSON. */
const MAX_ROW_BYTES = 4 * 1024;
/** Maximum number of bound values that are described per statement. */
const MAX_BOUND = 100;
/** Maximum size of the values that are bound to one statement, in bytes of JSON. */
const MAX_BOUND_BYTES = 1024;
/**
 * Maximum size of all values of queries in one request, in bytes of JSON. The rest of the request's bytes stays free for the values of
 * functions.
 */
const MAX_REQUEST_BYTES = 64 * 1024;
/** Maximum length of a text that can be the name of a value beside it, in UTF-16 code units. */
const MAX_NAME = 100;

type Values = readonly unknown[];

/** The captured bound values of one query, and whether its rows may be captured. */
export interface QueryCapture {
  /** The bound values; undefined if no value is bound. Contains markers with the types if the values are not shown. */
  readonly bound: CapturedValue | undefined;
  /** The types of the bound values, if `bound` contains only markers. Statements with the same types have the same markers. */
  readonly types: string | undefined;
  readonly showsRows: boolean;
}

const nothing: StatementValues = { showsBound: false, showsRows: false };

/**
 * Captures the values of a request's queries: the values that are bound to a statement, and the first rows that the statement returned.
 * Only for queries below a function of the author whose values are captured. Rules with paths name values of functions, and would not reach
 * the copies in queries, so with such rules no value of a query is captured.
 *
 * The copies are not tracked as objects of the trace: a function that returns a row shows the row itself, by its own rules.
 */
export class QueryValues {
  readonly #all: boolean;
  readonly #rules: CaptureRules;
  readonly #meter: Meter | null;
  readonly #snapshotter: Snapshotter;
  #bytesLeft: number;

  constructor(all: boolean, rules: CaptureRules, meter: Meter | null, snapshotter: Snapshotter) {
    this.#all = all;
    this.#rules = rules;
    this.#meter = meter;
    this.#snapshotter = snapshotter;
    this.#bytesLeft = Math.min(MAX_REQUEST_BYTES, snapshotter.limits.requestBytes / 8);
  }

  /** Begins to capture the values of a query. `values` is the list of the values that are bound to the statement. */
  begin(step: ActiveStep, statement: string | undefined, values: unknown): QueryCapture {
    const { redactor } = this.#rules;
    const bound = copyList(values, MAX_BOUND);
    const isCovered = statement !== undefined && redactor !== null && this.#covers(step);
    const shown = isCovered ? redactor.judgeStatement(statement) : nothing;
    if (bound.length === 0) {
      const isUnread = values !== undefined && (!isArray(values) || isProxy(values));
      return { bound: undefined, types: '', showsRows: shown.showsRows && !isUnread };
    }
    const length = isArray(values) ? values.length : 0;
    if (redactor !== null && shown.showsBound && length <= MAX_BOUND && bound.every(isReadable)) {
      const taken = this.#take(step, bound, MAX_BOUND_BYTES);
      if (isArray(taken) && !hasText(taken, (text) => mayNameSecret(redactor, text)))
        return { bound: taken, types: undefined, showsRows: shown.showsRows };
    }
    return describeTypes(bound, length);
  }

  /** Captures the first rows that a query returned. Returns undefined if none may be shown, or if the rows have no names of columns. */
  captureFirstRows(step: ActiveStep, { showsRows }: QueryCapture, rows: unknown): CapturedValue | undefined {
    const { redactor } = this.#rules;
    if (!showsRows || redactor === null || !this.#covers(step)) return undefined;
    const first = copyList(rows, MAX_ROWS);
    if (first.length === 0 || !first.every(isRow)) return undefined;
    const taken = this.#take(step, first, MAX_ROW_BYTES);
    const isDoubtful = (text: string) => mayNameSecret(redactor, text) || isWholeRow(text);
    return taken !== undefined && !hasText(taken, isDoubtful) ? taken : undefined;
  }

  #covers(step: ActiveStep): boolean {
    if (!this.#all || this.#rules.hidesAll || this.#snapshotter.busy) return false;
    return this.#bytesLeft > 0 && findCaller(step)?.all === true;
  }

  #take(step: ActiveStep, value: unknown, maxBytes: number): CapturedValue | undefined {
    const snapshotter = this.#snapshotter;
    const meter = this.#meter;
    const bytes = Math.min(maxBytes, this.#bytesLeft);
    if (!snapshotter.beginStep(Math.max(0, snapshotter.limits.stepBytes - bytes))) return undefined;
    const started = meter === null ? -1 : meter.beginExit();
    try {
      const taken = snapshotter.takeNow(value, []);
      this.#bytesLeft -= snapshotter.stepBytes;
      snapshotter.endStep();
      const caller = findCaller(step);
      if (meter !== null && started >= 0 && caller !== null) meter.endExit(caller, started);
      return taken;
    } finally {
      snapshotter.busy = false;
    }
  }
}

/** Copies the first items of a list without running code of the host. Any other value is an empty list. */
export function copyList(list: unknown, max: number): unknown[] {
  const copy: unknown[] = [];
  if (!isArray(list) || isProxy(list)) return copy;
  for (let at = 0; at < list.length && at < max; at++) copy[at] = readOwnValue(list, `${at}`);
  return copy;
}

/**
 * True for a bound value whose captured form is the value: no function, proxy or instance of a class, which the driver can replace by
 * SQL or by several values. A list can contain such values, but no further list, which would be a row.
 */
function isReadable(value: unknown): boolean {
  if (!isArray(value)) return isSingle(value) || isPlain(value);
  if (isProxy(value) || value.length > MAX_BOUND) return false;
  for (let at = 0; at < value.length; at++) if (!isSingle(readOwnValue(value, `${at}`))) return false;
  return true;
}

/** True for a value that is neither an object with members, nor a list, nor a function. */
function isSingle(value: unknown): boolean {
  if (typeof value === 'object' && value !== null)
    return !isProxy(value) && (types.isDate(value) || ArrayBuffer.isView(value));
  return typeof value !== 'function';
}

/** True for a plain object with a few single values, such as the values of named parameters. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isProxy(value) || isArray(value)) return false;
  const prototype: unknown = getPrototypeOf(value);
  if (prototype !== null && prototype !== objectPrototype) return false;
  const keys = objectKeys(value);
  if (keys.length > MAX_BOUND) return false;
  for (let at = 0; at < keys.length; at++) if (!isSingle(readOwnValue(value, keys[at] ?? ''))) return false;
  return true;
}

/** Only rows that are objects have names. A list of cells, or the single value of a column, has none. */
function isRow(row: unknown): boolean {
  return typeof row === 'object' && row !== null && !isProxy(row) && !isArray(row) && !isSingle(row);
}

/** True for a text such as 'smtp_password': it can name a value that has no other name, in the same row or beside another bound value. */
function mayNameSecret(redactor: Redactor, text: string): boolean {
  return text.length <= MAX_NAME && redactor.mentionsSecret(text);
}

/** True for the text of a row of PostgreSQL as one value, without the names of the columns: `(7,Ada,hunter2)`. */
function isWholeRow(text: string): boolean {
  return text.startsWith('(') && text.endsWith(')') && text.includes(',');
}

/** True if a text in a captured value passes the test. */
function hasText(value: CapturedValue, test: (text: string) => boolean): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null) return false;
  const keys = objectKeys(value);
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] ?? '';
    const member: CapturedValue = Reflect.get(value, key);
    if (key !== '$type' && hasText(member, test)) return true;
  }
  return false;
}

/** Describes each value by a marker with the value's type. `length` is the number of all bound values. */
function describeTypes(bound: Values, length: number): QueryCapture {
  const values: CapturedValue[] = [];
  let listed = `${length}`;
  for (let at = 0; at < bound.length; at++) {
    const type = findType(bound[at]);
    values[at] = { $type: 'redacted', of: type };
    listed += ` ${type}`;
  }
  return {
    bound: length > values.length ? { $type: 'array', values, length } : values,
    types: listed,
    showsRows: false,
  };
}

function findType(value: unknown): string {
  if (value === null) return 'null';
  if (isProxy(value)) return 'object';
  if (isArray(value)) return 'array';
  return types.isDate(value) ? 'Date' : ArrayBuffer.isView(value) ? 'Buffer' : typeof value;
}

/** Finds the innermost instrumented function above a step. Null if a library ran the query on its own, such as a store of sessions. */
function findCaller({ parent }: ActiveStep): ActiveStep | null {
  for (let step = parent; step !== null; step = step.parent)
    if (step.site !== null && 'kind' in step.site) return step;
  return null;
}

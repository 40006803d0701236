import { types } from 'node:util';
import {
  FREE_SIGN,
  mayBeNamedBy,
  type Redactor,
  type StatementValues,
  WIDE_SIGN,
} from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { readOwnValue } from '../../internal/foreign.ts';
import type { ActiveStep } from '../active-step.ts';
import { isFunctionSite } from '../below.ts';
import type { Snapshotter } from '../snapshot/snapshot.ts';
import { CapturedText, ExtendedText, type StepValue } from '../writer/captured-text.ts';
import {
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isProxy,
  objectKeys,
  objectPrototype,
  setAdd,
  setHas,
} from '../writer/primordials.ts';
import type { Root } from '../writer/value-path.ts';
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
/** Like {@link MAX_NAME}, for a text without spaces, such as the path of a parameter. */
const MAX_PATH = 255;
/** Maximum depth, and members per object, of a value that is searched for texts. */
const MAX_DEPTH = 4;
const MAX_KEYS = 1000;
/** Maximum number of hidden bound values per request that are remembered. */
const MAX_HIDDEN = 200;
/** An id: a UUID, a number, `ord_17`. Ids are not hidden in later queries, which often repeat them. */
const ID = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[a-z]*[-_]?\d+)$/i;
/** A row of PostgreSQL as one text, without the names of the columns: `(7,Ada,hunter2)`, also in a list or in quotes. */
const WHOLE_ROW = /^["'{[]{0,8}\([^)]{0,4000},/;
const MAY_BE_ROW = /^["'{[(]/;

const OPEN_LIST = 0x5b;

const boundPath: Root = ['inputs', 'values'];
const rowsPath: Root = ['outputs', 'firstRows'];

type Values = readonly unknown[];

/** The captured bound values of one query, and whether its rows may be captured. */
export interface QueryCapture {
  /** The bound values; undefined if no value is bound. Contains markers with the types if the values are not shown. */
  readonly bound: StepValue | undefined;
  /** The types of the bound values, if `bound` contains only markers. Statements with the same types have the same markers. */
  readonly types: string | undefined;
  readonly showsRows: boolean;
}

/** The fields of a query's inputs or outputs. */
export interface QueryFields {
  readonly [name: string]: StepValue;
}

const nothing: StatementValues = { showsBound: false, showsRows: false, takesValues: true };

/**
 * Captures the values of a request's queries: the values that are bound to a statement, and the first rows that the statement returned.
 * Only for queries below an instrumented function whose values are captured. A redaction rule with a path would match a function's value,
 * but not its copy in a query. So with such rules, no value of a query is captured.
 *
 * The copies are not tracked as objects of the trace: a function that returns a row shows the row again, not a reference.
 */
export class QueryValues {
  readonly #all: boolean;
  readonly #rules: CaptureRules;
  readonly #meter: Meter | null;
  readonly #snapshotter: Snapshotter;
  #bytesLeft: number;
  /** True if a text of the last captured value needs the exact check. */
  #isDoubtful = false;
  readonly #hidden = new Set<string>();

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
      const isUnread = values !== undefined && (isProxy(values) || !isArray(values));
      // A driver can have received the values earlier: `statement.bind(values).all()`.
      return { bound: undefined, types: '', showsRows: shown.showsRows && !isUnread && !shown.takesValues };
    }
    const length = isArray(values) ? values.length : 0;
    if (redactor !== null && shown.showsBound && length <= MAX_BOUND && bound.every(isReadable)) {
      const taken = this.#take(step, redactor, bound, boundPath, MAX_BOUND_BYTES);
      if (taken !== undefined) return { bound: taken, types: undefined, showsRows: shown.showsRows };
    }
    for (let at = 0; at < bound.length; at++) this.#noteHidden(bound[at]);
    return describeTypes(bound, length);
  }

  /** Remembers a hidden text that looks like a secret, so that no later query shows a copy of it. */
  #noteHidden(value: unknown): void {
    if (typeof value !== 'string' || this.#hidden.size >= MAX_HIDDEN || ID.test(value)) return;
    if (mayBeNamedBy('likely', value)) setAdd(this.#hidden, value);
  }

  /** Captures the first rows that a query returned. Returns undefined if none may be shown, or if the rows have no names of columns. */
  captureFirstRows(step: ActiveStep, { showsRows }: QueryCapture, rows: unknown): StepValue | undefined {
    const { redactor } = this.#rules;
    if (!showsRows || redactor === null || !this.#covers(step)) return undefined;
    const first = copyList(rows, MAX_ROWS);
    if (first.length === 0 || !first.every(isRow)) return undefined;
    return this.#take(step, redactor, first, rowsPath, MAX_ROW_BYTES);
  }

  /**
   * Returns a query's inputs or outputs as the value of a step. Many queries have the same statement or number of rows, so the JSON of
   * these fields is written once. `types` are the types of the bound values if markers replace the values.
   */
  joinFields(field: 'inputs' | 'outputs', fields: QueryFields, types?: string): StepValue {
    const last = field === 'inputs' ? 'values' : 'firstRows';
    const { [last]: captured, ...first } = fields;
    const isCaptured = captured instanceof CapturedText;
    const { statement, rows } = first;
    const repeats = isCaptured || captured === undefined || types !== undefined;
    if (!repeats || (statement ?? rows) === undefined || objectKeys(first).length > 1) return toPlain(fields);
    const key = typeof statement === 'string' ? statement : 'rows';
    const detail = field === 'outputs' ? `${rows}` : isCaptured ? '' : (types ?? '');
    const head = this.#rules.repeated.take(field, key, detail, () => toPlain(isCaptured ? first : fields));
    if (!isCaptured) return head;
    return head instanceof CapturedText ? new ExtendedText(head, `,"${last}":`, captured) : toPlain(fields);
  }

  #covers(step: ActiveStep): boolean {
    if (!this.#all || this.#rules.hidesAll || this.#snapshotter.busy) return false;
    return this.#bytesLeft > 0 && findCaller(step)?.all === true;
  }

  /** Captures a list. Returns undefined if a text in the list can name a secret beside the text, or if bound values do not fit. */
  #take(
    step: ActiveStep,
    redactor: Redactor,
    list: Values,
    path: Root,
    maxBytes: number,
  ): StepValue | undefined {
    const snapshotter = this.#snapshotter;
    const meter = this.#meter;
    const bytes = Math.min(maxBytes, this.#bytesLeft);
    if (!snapshotter.beginStep(Math.max(0, snapshotter.limits.stepBytes - bytes))) return undefined;
    const started = meter === null ? -1 : meter.beginExit();
    const { writer } = snapshotter.budget;
    const { secrets, cutValues } = snapshotter;
    const known = secrets.size;
    this.#isDoubtful = false;
    writer.onText = this.#see;
    try {
      const taken = snapshotter.take(list, path);
      snapshotter.endStep();
      // Otherwise, secrets in rows would use up the limit of secrets that are hidden in the whole trace.
      if (secrets.size > known) for (const secret of [...secrets].slice(known)) secrets.delete(secret);
      const isCut = snapshotter.cutValues > cutValues;
      const isWhole = path === rowsPath || writer.bytes[taken.start] === OPEN_LIST;
      if (isWhole && !this.#mayNameSecret(taken, isCut ? list : undefined, redactor)) {
        this.#bytesLeft -= snapshotter.stepBytes;
        return taken.clean ? taken : redactor.value(taken.read());
      }
      writer.end = taken.start;
      return undefined;
    } finally {
      const caller = findCaller(step);
      if (meter !== null && started >= 0 && caller !== null) meter.endExit(caller, started);
      writer.onText = null;
      snapshotter.busy = false;
    }
  }

  /** Sets `#isDoubtful` if a captured text needs the exact check of `#mayNameSecret`. */
  readonly #see = (text: string): void => {
    if (this.#isDoubtful || (text.length > MAX_PATH && !WHOLE_ROW.test(text))) return;
    if (this.#hidden.size > 0 && setHas(this.#hidden, text)) this.#isDoubtful = true;
    if (this.#isDoubtful) return;
    const { bytes, end, signs } = this.#snapshotter.budget.writer;
    const isPlain = (signs & (WIDE_SIGN | FREE_SIGN)) === 0 && !MAY_BE_ROW.test(text);
    const { redactor } = this.#rules;
    this.#isDoubtful =
      !isPlain || redactor?.mayMentionSecret(bytes, end - 1 - text.length, end - 1) !== false;
  };

  /**
   * True if a text in the captured list can name a secret beside the text, in the same row or among the bound values. `list` is the host's
   * list if the copy is not complete.
   */
  #mayNameSecret(taken: CapturedText, list: Values | undefined, redactor: Redactor): boolean {
    const isDoubtful = (text: string) =>
      WHOLE_ROW.test(text) ||
      setHas(this.#hidden, text) ||
      (text.length <= (text.includes(' ') ? MAX_NAME : MAX_PATH) && redactor.mentionsSecret(text));
    return (
      (this.#isDoubtful && hasText(taken.read(), isDoubtful)) ||
      (list !== undefined && hostHasText(list, isDoubtful, 0))
    );
  }
}

/** Copies the first items of a list without running code of the host. Any other value is an empty list. */
export function copyList(list: unknown, max: number): unknown[] {
  const copy: unknown[] = [];
  // Array.isArray throws for a revoked proxy.
  if (isProxy(list) || !isArray(list)) return copy;
  for (let at = 0; at < list.length && at < max; at++) copy[at] = getOwnPropertyDescriptor(list, at)?.value;
  return copy;
}

/**
 * True for a bound value whose captured form is the value itself. False for a function, a proxy, and an instance of a class other than
 * dates and buffers: the driver can replace these by SQL or by several values. A list can contain single values, but no further list, which
 * would be a row.
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

/** True for a row that is an object. Other rows have no column names: a list of cells, or a single cell. */
function isRow(row: unknown): boolean {
  return typeof row === 'object' && row !== null && !isProxy(row) && !isArray(row) && !isSingle(row);
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

function toPlain(fields: QueryFields): CapturedValue {
  const plain: { [name: string]: CapturedValue } = {};
  for (const name of objectKeys(fields)) {
    const value = fields[name] ?? null;
    plain[name] = value instanceof CapturedText ? value.read() : value;
  }
  return plain;
}

/** Like {@link hasText}, for a value of the host. Runs no code of the host. True if the value is too large to be examined. */
function hostHasText(value: unknown, test: (text: string) => boolean, depth: number): boolean {
  if (typeof value === 'string') return test(value);
  if (typeof value !== 'object' || value === null || isSingle(value) || isProxy(value)) return false;
  const keys = objectKeys(value);
  if (depth > MAX_DEPTH || keys.length > MAX_KEYS) return true;
  for (let at = 0; at < keys.length; at++)
    if (hostHasText(readOwnValue(value, keys[at] ?? ''), test, depth + 1)) return true;
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
  for (let step = parent; step !== null; step = step.parent) if (isFunctionSite(step.site)) return step;
  return null;
}

import type { CapturedValue } from '@throughline/contract';
import { classifyValue } from '@throughline/contract/captured';
import { findPlaceholders, type Placeholder, type SqlDialect } from './find-placeholders.ts';

/** A statement with the values that its driver bound. */
export interface BoundStatement {
  readonly sql: string;
  readonly dialect: SqlDialect;
  /** Name of the driver or of its instrumentation. */
  readonly driver: string | undefined;
  /** A list of values, or an object with the values by position or name. */
  readonly parameters: CapturedValue | undefined;
}

export interface BoundParameter {
  readonly placeholder: Placeholder;
  /** Undefined if the value was not captured, or if it is unknown which value belongs to the placeholder. */
  readonly value: CapturedValue | undefined;
}

export interface BoundParameters {
  readonly parameters: readonly BoundParameter[];
  readonly hasHiddenLiteral: boolean;
}

/** Finds the value of each placeholder of a statement, in the order of the placeholders. */
export function bindParameters({ sql, dialect, parameters }: BoundStatement): BoundParameters {
  const { placeholders, hasHiddenLiteral } = findPlaceholders(sql, dialect);
  const numbered = numberPlaceholders(placeholders);
  const find = parameters === undefined ? undefined : createFinder(parameters, numbered);
  return {
    hasHiddenLiteral,
    parameters: numbered.map((one) => ({ placeholder: one.placeholder, value: find?.(one) })),
  };
}

interface Numbered {
  readonly placeholder: Placeholder;
  /** The number of the placeholder's value, counted from 1. */
  readonly index: number;
}

type Find = (numbered: Numbered) => CapturedValue | undefined;

interface Named {
  readonly [key: string]: CapturedValue;
}

function createFinder(parameters: CapturedValue, numbered: readonly Numbered[]): Find | undefined {
  const shape = classifyValue(parameters);
  if (shape.kind === 'object') return findInObject(shape.properties, numbered);
  if (shape.kind === 'list') return findInList(shape.items, shape.items.length, numbered);
  if (shape.kind === 'form' && shape.form.$type === 'array')
    return findInList(shape.form.values, shape.form.length, numbered);
  return undefined;
}

/** OpenTelemetry counts parameters without a name from 0, other senders from 1. */
function findInObject(values: Named, numbered: readonly Numbered[]): Find {
  const first = Object.hasOwn(values, '0') ? 0 : 1;
  const isCounted = matchesCount(Object.keys(values).filter((key) => /^\d+$/.test(key)).length, numbered);
  return ({ placeholder: { name, isAnonymous }, index }) => {
    if (isAnonymous && !isCounted) return undefined;
    return isNumber(name)
      ? (readOwn(values, name) ?? readOwn(values, String(index - 1 + first)))
      : readNamed(values, name);
  };
}

function findInList(
  values: readonly CapturedValue[],
  length: number,
  numbered: readonly Numbered[],
): Find | undefined {
  const named = numbered.some(({ placeholder: { name } }) => !isNumber(name)) ? findNamed(values) : undefined;
  if (named === undefined)
    return matchesCount(length, numbered) ? ({ index }) => values[index - 1] : undefined;
  // The list contains the object of named values and, in order, the values of the anonymous placeholders.
  const others = values.filter((value) => value !== named.object);
  const anonymous = numbered.filter(({ placeholder }) => placeholder.isAnonymous);
  const isCounted = others.length === anonymous.length;
  return ({ placeholder: { isAnonymous, name } }) =>
    isAnonymous
      ? isCounted
        ? others[Number(name.slice(1)) - 1]
        : undefined
      : readNamed(named.properties, name);
}

/**
 * False if it is unknown which value belongs to which `?`: the SDK replaces literals of a statement by `?`, too, and the statement then has
 * more placeholders than values.
 */
function matchesCount(count: number, numbered: readonly Numbered[]): boolean {
  if (!numbered.some(({ placeholder }) => placeholder.isAnonymous)) return true;
  const isMixed = numbered.some(({ placeholder: { isAnonymous, name } }) => !isAnonymous && isNumber(name));
  return !isMixed && Math.max(...numbered.map(({ index }) => index)) === count;
}

/** True for `?`, `?1` and `$1`, whose values are found by position. */
function isNumber(name: string): boolean {
  return /^[?$]\d+$/.test(name);
}

function findNamed(
  values: readonly CapturedValue[],
): { readonly object: CapturedValue; readonly properties: Named } | undefined {
  for (const object of values) {
    const shape = classifyValue(object);
    if (shape.kind === 'object') return { object, properties: shape.properties };
  }
  return undefined;
}

/** Drivers accept a name with or without the character at its beginning: `:id` or `id`. */
function readNamed(values: Named, name: string): CapturedValue | undefined {
  return readOwn(values, name) ?? readOwn(values, name.slice(1));
}

function readOwn(values: Named, key: string): CapturedValue | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** Numbers the placeholders as their databases do. In SQLite, a name gets the next number at its first use. */
function numberPlaceholders(placeholders: readonly Placeholder[]): readonly Numbered[] {
  const known = new Map<string, number>();
  let last = 0;
  return placeholders.map((placeholder) => {
    const { name, isAnonymous } = placeholder;
    const given = !isAnonymous && isNumber(name) ? Number(name.slice(1)) : undefined;
    const index = given ?? (isAnonymous ? undefined : known.get(name)) ?? last + 1;
    if (!isAnonymous) known.set(name, index);
    last = Math.max(last, index);
    return { placeholder, index };
  });
}

import { readFunctionName, readOwnData } from '../snapshot/class-kind.ts';
import type { OwnKeys } from '../snapshot/keys.ts';
import { getPrototypeOf, hasOwn, isProxy } from '../writer/primordials.ts';
import { dataSummaries } from './data.ts';
import { frameworkSummaries } from './frameworks.ts';
import { graphqlSummaries, plainSummaries } from './graphql.ts';
import { iteratorSummaries } from './iterators.ts';
import { nodeSummaries } from './node.ts';
import { MAX_CHAIN, readDataAt } from './read-data.ts';
import { type PreparedSummary, prepareSummary, type Summary } from './summary.ts';

/**
 * Node's summaries come last, because a logger or a client is also an event emitter or a stream, and so would match one of Node's
 * summaries.
 */
const table = [
  ...frameworkSummaries,
  ...dataSummaries,
  ...graphqlSummaries,
  ...iteratorSummaries,
  ...nodeSummaries,
].map((summary) => ({ summary, prepared: prepareSummary(summary) }));

/** The summaries of plain objects, by the name of the first property. */
const plainTable: Record<string, PreparedSummary> = Object.create(null);
for (const summary of plainSummaries) plainTable[summary.first] = prepareSummary(summary);
/** Minimum number of properties of a plain object that has a summary. */
const MIN_KEYS = 3;

const found = new WeakMap<object, PreparedSummary | null>();
const recall = found.get.bind(found);
const remember = found.set.bind(found);

/** Returns the summary of an object with this prototype; null if the object is ordinary. Must not be called with a proxy. */
export function findPreparedSummary(object: object, prototype: object | null): PreparedSummary | null {
  if (prototype === null) return null;
  let known = recall(prototype);
  if (known === undefined) {
    known = findSummary(prototype, 0);
    remember(prototype, known);
  }
  while (known !== null && !hasNeeded(object, known)) known = known.otherwise;
  return known;
}

/**
 * Finds the summary of a plain object, which either has a first property with a certain name, or contains a framework's methods itself. In
 * the latter case, it also has symbols.
 */
export function findPlainSummary(object: object, { first, size, symbols }: OwnKeys): PreparedSummary | null {
  const known = size < MIN_KEYS ? undefined : plainTable[first[0] ?? ''];
  if (known !== undefined && hasNeeded(object, known)) return known;
  if (symbols.length === 0) return null;
  for (let index = 0; index < table.length; index++) {
    const entry = table[index];
    if (
      entry?.summary.has !== undefined &&
      hasAll(object, entry.summary.has) &&
      hasNeeded(object, entry.prepared)
    )
      return entry.prepared;
  }
  return null;
}

function hasNeeded(object: object, { needs }: PreparedSummary): boolean {
  for (let index = 0; index < needs.length; index++)
    if (readDataAt(object, needs[index] ?? []) === undefined) return false;
  return true;
}

function findSummary(prototype: object, from: number): PreparedSummary | null {
  for (let index = from; index < table.length; index++) {
    const entry = table[index];
    if (entry === undefined || !inheritsFrom(prototype, entry.summary)) continue;
    const { prepared } = entry;
    return prepared.needs.length === 0
      ? prepared
      : { ...prepared, otherwise: findSummary(prototype, index + 1) };
  }
  return null;
}

function inheritsFrom(prototype: object, summary: Summary): boolean {
  let link: object | null = prototype;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    if (summary.is === undefined ? isLike(link, summary) : link === summary.is) return true;
    link = getPrototypeOf(link);
  }
  return false;
}

function isLike(link: object, { has = [], named }: Summary): boolean {
  if (!hasAll(link, has)) return false;
  if (named === undefined) return true;
  const maker = readOwnData(link, 'constructor');
  return typeof maker === 'function' && !isProxy(maker) && readFunctionName(maker) === named;
}

function hasAll(object: object, names: readonly PropertyKey[]): boolean {
  for (let index = 0; index < names.length; index++) if (!hasOwn(object, names[index] ?? '')) return false;
  return true;
}

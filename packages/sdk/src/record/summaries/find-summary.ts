import { readFunctionName, readOwnData } from '../snapshot/class-kind.ts';
import { getOwnPropertyDescriptor, getPrototypeOf, hasOwn, isProxy } from '../writer/primordials.ts';
import { dataSummaries } from './data.ts';
import { frameworkSummaries } from './frameworks.ts';
import { nodeSummaries } from './node.ts';
import { type PreparedSummary, prepareSummary, type Summary } from './summary.ts';

/**
 * Node's summaries come last, because a logger or a client is also an event emitter or a stream, and so would match one of Node's
 * summaries.
 */
const table = [...frameworkSummaries, ...dataSummaries, ...nodeSummaries].map((summary) => ({
  summary,
  prepared: prepareSummary(summary),
}));

/** Maximum number of prototypes that are searched. The classes of real programs have fewer, but a chain can be practically endless. */
const MAX_CHAIN = 32;
const found = new WeakMap<object, PreparedSummary | null>();
const recall = found.get.bind(found);
const remember = found.set.bind(found);

/** Returns the summary for objects with this prototype; null for ordinary objects. Must not be called with a proxy. */
export function findPreparedSummary(prototype: object | null): PreparedSummary | null {
  if (prototype === null) return null;
  let known = recall(prototype);
  if (known === undefined) {
    known = findSummary(prototype);
    remember(prototype, known);
  }
  return known;
}

/** Finds a summary like {@link findPreparedSummary}, for a plain object that contains a framework's methods itself. */
export function findPlainSummary(object: object): PreparedSummary | null {
  for (let index = 0; index < table.length; index++) {
    const entry = table[index];
    if (entry?.summary.has !== undefined && hasAll(object, entry.summary.has)) return entry.prepared;
  }
  return null;
}

function findSummary(prototype: object): PreparedSummary | null {
  for (let index = 0; index < table.length; index++) {
    const entry = table[index];
    if (entry !== undefined && inheritsFrom(prototype, entry.summary)) return entry.prepared;
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

function hasAll(object: object, names: readonly string[]): boolean {
  for (let index = 0; index < names.length; index++) if (!hasOwn(object, names[index] ?? '')) return false;
  return true;
}

/**
 * Returns the value at a path of own or inherited data properties; undefined if a property is missing or an accessor, or an object is a
 * proxy.
 */
export function readDataAt(object: object, path: readonly string[]): unknown {
  let value: unknown = object;
  for (let index = 0; index < path.length; index++) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = readDataProperty(value, path[index] ?? '');
  }
  return value;
}

function readDataProperty(object: object, name: string): unknown {
  let link: object | null = object;
  for (let steps = 0; link !== null && steps < MAX_CHAIN && !isProxy(link); steps++) {
    const descriptor = getOwnPropertyDescriptor(link, name);
    if (descriptor !== undefined) return hasOwn(descriptor, 'value') ? descriptor.value : undefined;
    link = getPrototypeOf(link);
  }
  return undefined;
}

import { hashOfName } from '../../../platform/trace-store/index.ts';

/** The fields of a step that filters use, with the values that are about to be stored. */
export interface StoredStep {
  readonly type: string;
  /** The name that the SDK or the OpenTelemetry exporter sent. */
  readonly name: string;
  readonly metadata: unknown;
  readonly failed: boolean;
  /** Captured values; set only for a span, because spans of the same name are distinguished by their queries. */
  readonly captured?: unknown;
}

/**
 * Returns a step's kind in the format of {@link StepKinds.text}, without the number of calls. Name, dependency and query equal the
 * results of `STEP_NAME`, `STEP_DEPENDENCY` and `SPAN_QUERY` for the stored step.
 */
export function classifyStep({ type, name, metadata, failed, captured }: StoredStep): string {
  const dependency = findDependency(type, name, metadata);
  return formatKind({
    type,
    name: normalizeName(type, name),
    dependency,
    failed,
    query: findQuery(captured),
  });
}

/** Formats a step's kind from values computed in SQL. */
export function formatKind(kind: {
  readonly type: string;
  readonly name: string;
  readonly dependency: string;
  readonly failed: boolean;
  readonly query: string;
}): string {
  const { failed, type, name, dependency, query } = kind;
  return JSON.stringify([Number(failed), type, name, dependency, query]).slice(1);
}

const NUMBER_OR_UUID = /^(?:[0-9]+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/;
const DIGIT = /[0-9]/;
const LONG_HEX = /^[0-9a-fA-F]{8,}$/;
const LONG_BYTES = 20;

function normalizeName(type: string, name: string): string {
  const text = name.toWellFormed();
  if (type !== 'http' || !DIGIT.test(text)) return text;
  return text
    .split('/')
    .map((segment) => (isId(segment) ? ':id' : segment))
    .join('/');
}

function isId(segment: string): boolean {
  if (NUMBER_OR_UUID.test(segment)) return true;
  return DIGIT.test(segment) && (LONG_HEX.test(segment) || Buffer.byteLength(segment) >= LONG_BYTES);
}

function findDependency(type: string, name: string, metadata: unknown): string {
  const readText = (member: string) => readTextMember(metadata, member);
  switch (type) {
    case 'http':
      return readText('server.address') || (/^[^ ]+ ([^/?# ]+)/.exec(name)?.[1] ?? 'http').toWellFormed();
    case 'database':
    case 'cache':
      return lowerAscii(readText('db.system.name') || readText('db.system') || type);
    case 'queue':
      return readText('messaging.system') || 'queue';
    default:
      return '';
  }
}

function findQuery(captured: unknown): string {
  const query = readTextMember(getMember(captured, 'inputs'), 'query');
  return query === '' ? '' : hashOfName(query.replace(/'[^']*'|[0-9]+/g, ''));
}

function readTextMember(object: unknown, member: string): string {
  const value = getMember(object, member);
  if (value === undefined || value === null) return '';
  // JSONExtractString does the same for values that are not strings.
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

function getMember(object: unknown, member: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, member)
    ? Reflect.get(object, member)
    : undefined;
}

const CAPITAL = /[A-Z]/;
const CAPITALS = /[A-Z]/g;

/** Converts only ASCII letters, as `lower` in SQL does. */
function lowerAscii(text: string): string {
  return CAPITAL.test(text) ? text.replace(CAPITALS, (letter) => letter.toLowerCase()) : text;
}

/** If the kinds of a request take more characters, a filter on steps reads the request's steps instead. */
const MAX_LENGTH = 16_000;

/**
 * Collects the kinds of a request's steps and the number of calls of each kind. Every filter on steps can be evaluated from these kinds and
 * numbers.
 */
export class StepKinds {
  readonly #calls = new Map<string, number>();

  /** Adds calls of a kind, which is in the format of {@link classifyStep}. */
  add(kind: string, calls: number): void {
    this.#calls.set(kind, Math.min(Number.MAX_SAFE_INTEGER, (this.#calls.get(kind) ?? 0) + calls));
  }

  /**
   * Returns the value of the column `step_kinds`: a JSON list of kinds, each [calls, failed, type, name, dependency, query]. The list is
   * sorted, so that the order of steps does not matter. If the list would be too long, returns an empty string, which means that the kinds
   * are unknown.
   */
  get text(): string {
    const kinds = [...this.#calls].map(([kind, calls]) => `[${calls},${kind}`);
    const text = `[${kinds.sort().join(',')}]`;
    return text.length > MAX_LENGTH ? '' : text;
  }
}

/** Returns the value of `step_kinds` for steps of these kinds, each in the format of {@link classifyStep}. */
export function formatKinds(kinds: readonly string[]): string {
  const all = new StepKinds();
  for (const kind of kinds) all.add(kind, 1);
  return all.text;
}

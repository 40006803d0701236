import { hashOfName } from '../../platform/trace-store/index.ts';

/** What filters tell steps apart by, of a step that is about to be stored: its values as they will be. */
export interface StoredStep {
  readonly type: string;
  /** As it was sent. */
  readonly name: string;
  readonly metadata: unknown;
  readonly failed: boolean;
  /** Of a span: queries of one name are told apart by their texts. */
  readonly captured?: unknown;
}

/**
 * A step's kind as it stands in {@link StepKinds.text}, behind the number of its calls. Name, dependency and query are made as `STEP_NAME`, `STEP_DEPENDENCY`
 * and `SPAN_QUERY` make them of what is stored.
 */
export function classifyStep({ type, name, metadata, failed, captured }: StoredStep): string {
  const dependency = findDependency(type, name, metadata);
  return kindText({ type, name: normalizeName(type, name), dependency, failed, query: findQuery(captured) });
}

/** The same, of what SQL made of a step that is stored. */
export function kindText(kind: {
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
  const told = (member: string) => textIn(metadata, member);
  switch (type) {
    case 'http':
      return told('server.address') || (/^[^ ]+ ([^/?# ]+)/.exec(name)?.[1] ?? 'http').toWellFormed();
    case 'database':
    case 'cache':
      return lowerAscii(told('db.system.name') || told('db.system') || type);
    case 'queue':
      return told('messaging.system') || 'queue';
    default:
      return '';
  }
}

function findQuery(captured: unknown): string {
  const query = textIn(getMember(captured, 'inputs'), 'query');
  return query === '' ? '' : hashOfName(query.replace(/'[^']*'|[0-9]+/g, ''));
}

function textIn(object: unknown, member: string): string {
  const value = getMember(object, member);
  if (value === undefined || value === null) return '';
  // As JSONExtractString reads what is no text.
  return typeof value === 'string' ? value.toWellFormed() : JSON.stringify(value);
}

function getMember(object: unknown, member: string): unknown {
  return typeof object === 'object' && object !== null && Object.hasOwn(object, member)
    ? Reflect.get(object, member)
    : undefined;
}

const CAPITAL = /[A-Z]/;
const CAPITALS = /[A-Z]/g;

/** As `lower` does in SQL. */
function lowerAscii(text: string): string {
  return CAPITAL.test(text) ? text.replace(CAPITALS, (letter) => letter.toLowerCase()) : text;
}

/** A request with steps of more kinds than so many characters say is searched step by step. */
const MAX_LENGTH = 16_000;

/** The kinds of a request's steps, and how often each was called: all that filters by steps ask. */
export class StepKinds {
  readonly #calls = new Map<string, number>();

  /** @param kind as {@link classifyStep} makes it */
  add(kind: string, calls: number): void {
    this.#calls.set(kind, Math.min(Number.MAX_SAFE_INTEGER, (this.#calls.get(kind) ?? 0) + calls));
  }

  /**
   * The column `step_kinds`: a JSON list of kinds, each [calls, failed, type, name, dependency, query], the same for the same kinds in whatever order they
   * came; empty where it would be too long, which says that they are not known.
   */
  get text(): string {
    const kinds = [...this.#calls].map(([kind, calls]) => `[${calls},${kind}`);
    const text = `[${kinds.sort().join(',')}]`;
    return text.length > MAX_LENGTH ? '' : text;
  }
}

/** The column of steps of these kinds, each as {@link classifyStep} makes it. */
export function textOfKinds(kinds: readonly string[]): string {
  const all = new StepKinds();
  for (const kind of kinds) all.add(kind, 1);
  return all.text;
}

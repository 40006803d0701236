/**
 * Preloaded before the SDK. Makes every function of the SDK's folders `record` and `budget`, and of the contract, begin with a call of the
 * global `atFault(number)`. Between `begin` and `end`, `atFault` counts the calls and throws at the requested call.
 */
import { registerHooks } from 'node:module';
import { parseSync } from 'oxc-parser';

interface FaultPoints {
  /** The position of each function, by its number. */
  readonly places: string[];
  /** The number of calls of each function since {@link begin}. */
  readonly calls: number[];
  /** Begins to count. Throws at call number `call` of the function with number `point`; never throws if `point` is -1. */
  begin(point: number, call: number): void;
  end(): void;
  hasThrown: boolean;
}

declare global {
  var faultPoints: FaultPoints;
  var atFault: (point: number) => void;
}

let armed = -1;
let left = 0;
let counting = false;

globalThis.faultPoints = {
  places: [],
  calls: [],
  begin(point, call) {
    armed = point;
    left = call;
    counting = true;
    this.calls.fill(0);
    this.hasThrown = false;
  },
  end() {
    counting = false;
  },
  hasThrown: false,
};

globalThis.atFault = (point) => {
  if (!counting) return;
  const { faultPoints } = globalThis;
  faultPoints.calls[point] = (faultPoints.calls[point] ?? 0) + 1;
  if (point !== armed || --left !== 0) return;
  faultPoints.hasThrown = true;
  throw new Error('planted');
};

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const path = /\/(?:sdk\/src\/(?:record|budget)|contract\/src)\/[\w/-]+\.ts$/.exec(url)?.[0];
    if (path === undefined || loaded.source === undefined || loaded.source === null) return loaded;
    const { source } = loaded;
    return {
      ...loaded,
      source: planted(
        typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString(),
        path,
      ),
    };
  },
});

/** Inserts a fault point into each function of a source. */
function planted(source: string, path: string): string {
  const texts: [at: number, text: string][] = [];
  const { places, calls } = globalThis.faultPoints;
  for (const { name, start, end, isBlock } of findFunctions(parseSync('a.ts', source).program, '')) {
    const line = source.slice(0, start).split('\n').length;
    const call = `globalThis.atFault(${places.length})`;
    places.push(`${path}:${line} ${name}`);
    calls.push(0);
    if (isBlock) texts.push([start + 1, `${call};`]);
    else texts.push([start, `(${call},`], [end, ')']);
  }
  // Inserts from the end, so that earlier positions stay valid. If two insertions have the same position, the later one in the list belongs
  // further inside.
  texts.reverse().sort((a, b) => b[0] - a[0]);
  let code = source;
  for (const [at, text] of texts) code = code.slice(0, at) + text + code.slice(at);
  return code;
}

interface FoundFunction {
  readonly name: string;
  /** Start of the function's body. */
  readonly start: number;
  readonly end: number;
  readonly isBlock: boolean;
}

function* findFunctions(node: unknown, name: string): Generator<FoundFunction> {
  if (Array.isArray(node)) for (const inner of node) yield* findFunctions(inner, name);
  if (!isNode(node)) return;
  const key = isNode(node.key) ? node.key : isNode(node.id) ? node.id : undefined;
  const inner =
    typeof key?.name === 'string'
      ? `${node.type.startsWith('Class') ? '' : name && `${name}.`}${key.name}`
      : name;
  if (/Function/.test(node.type) && isNode(node.body)) {
    const { start, end, type } = node.body;
    yield { name: inner, start, end, isBlock: type === 'BlockStatement' };
  }
  for (const [field, value] of Object.entries(node)) if (field !== 'key') yield* findFunctions(value, inner);
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

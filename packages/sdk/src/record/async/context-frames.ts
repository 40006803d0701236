import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { types } from 'node:util';

/** The async context as Node stores it since version 24: a Map with the value of each storage. A new value is set in a new frame. */
export interface ContextFrame<Value> {
  readonly size: number;
  has(storage: AsyncLocalStorage<Value>): boolean;
  get(storage: AsyncLocalStorage<Value>): Value | undefined;
}

/** Node's class of a {@link ContextFrame}. A new frame is a copy of the current frame in which `storage` has the value `value`. */
interface ContextFrames<Value> {
  new (storage: AsyncLocalStorage<Value>, value: Value): ContextFrame<Value>;
  current(): ContextFrame<Value> | undefined;
  set(frame: ContextFrame<Value> | undefined): void;
}

/**
 * Finds Node's class of context frames through an `AsyncResource`, which has a property with the current frame. Node does not document this
 * class. Returns null if Node has no such class, or if the class works in another way.
 */
export function findContextFrames<Value>(): ContextFrames<Value> | null {
  const storage = new AsyncLocalStorage<object>();
  const value = {};
  try {
    const found: unknown = storage.run(value, () => readFrame()?.constructor);
    const works =
      isFrameClass<object>(found) && storage.run(value, () => worksAsExpected(found, storage, value));
    return works && isFrameClass<Value>(found) ? found : null;
  } catch {
    return null;
  } finally {
    storage.disable();
  }
}

function readFrame(): object | undefined {
  const resource = new AsyncResource('ThroughlineFrames');
  for (const symbol of Object.getOwnPropertySymbols(resource)) {
    const value: unknown = Reflect.get(resource, symbol);
    if (types.isMap(value)) return value;
  }
  return undefined;
}

function isFrameClass<Value>(value: unknown): value is ContextFrames<Value> {
  return (
    typeof value === 'function' &&
    typeof Reflect.get(value, 'current') === 'function' &&
    typeof Reflect.get(value, 'set') === 'function'
  );
}

/** Tries each operation on frames that the SDK uses. `value` is the current value of `storage`. */
function worksAsExpected(
  frames: ContextFrames<object>,
  storage: AsyncLocalStorage<object>,
  value: object,
): boolean {
  const outer = frames.current();
  if (outer?.get(storage) !== value || outer.size < 1) return false;
  const other = {};
  try {
    frames.set(undefined);
    if (frames.current() !== undefined || storage.getStore() !== undefined) return false;
    const made = new frames(storage, other);
    if (frames.current() !== undefined || made.size !== 1 || !made.has(storage)) return false;
    frames.set(made);
    if (frames.current() !== made || storage.getStore() !== other) return false;
  } finally {
    frames.set(outer);
  }
  return storage.getStore() === value && outer.get(storage) === value;
}

/** Where every copy of `@opentelemetry/api` (1.x) keeps what is registered, whatever its version. */
const key = Symbol.for('opentelemetry.js.api.1');

const kinds = ['trace', 'context', 'propagation'] as const;
type Kind = (typeof kinds)[number];

export type Registered = { readonly [K in Kind]: unknown };

/** The registered API; undefined if nothing is registered. */
export function registered(): Registered | undefined {
  const api: unknown = Reflect.get(globalThis, key);
  if (typeof api !== 'object' || api === null) return undefined;
  const found = {
    trace: Reflect.get(api, 'trace'),
    context: Reflect.get(api, 'context'),
    propagation: Reflect.get(api, 'propagation'),
  };
  return kinds.some((kind) => found[kind] !== undefined) ? found : undefined;
}

/**
 * Takes out what we registered, so that the host can register its own. Of the whole, too, if nothing else is left in it: it bears the version of
 * the copy that made it, and other copies refuse to add to it.
 */
export function unregister(ours: Registered): void {
  const api: unknown = Reflect.get(globalThis, key);
  if (typeof api !== 'object' || api === null) return;
  for (const kind of kinds) {
    if (ours[kind] !== undefined && Reflect.get(api, kind) === ours[kind]) Reflect.deleteProperty(api, kind);
  }
  if (Object.keys(api).every((name) => name === 'version')) Reflect.deleteProperty(globalThis, key);
}

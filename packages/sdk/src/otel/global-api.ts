/** Global key under which all copies of `@opentelemetry/api` 1.x store registrations. */
const key = Symbol.for('opentelemetry.js.api.1');

const kinds = ['trace', 'context', 'propagation'] as const;
type Kind = (typeof kinds)[number];

export type Registered = { readonly [K in Kind]: unknown };

/** Returns the present registrations; undefined if nothing is registered. */
export function getRegistered(): Registered | undefined {
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
 * Removes the SDK's registrations, so that the host can register its own. If no other registration is left, removes the whole global
 * object: the object contains the version of the API copy that created the object, and copies of other versions refuse to add
 * registrations.
 */
export function unregister(ours: Registered): void {
  const api: unknown = Reflect.get(globalThis, key);
  if (typeof api !== 'object' || api === null) return;
  for (const kind of kinds) {
    if (ours[kind] !== undefined && Reflect.get(api, kind) === ours[kind]) Reflect.deleteProperty(api, kind);
  }
  if (Object.keys(api).every((name) => name === 'version')) Reflect.deleteProperty(globalThis, key);
}

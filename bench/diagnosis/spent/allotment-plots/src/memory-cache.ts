type Id = string | number;

interface Entry<Value> {
  value: Value;
  expires: number;
}

export class MemoryCache<Value> {
  readonly #entries = new Map<Id, Entry<Value>>();
  readonly #lifetime: number;

  constructor(lifetime: number) {
    this.#lifetime = lifetime;
  }

  recall(id: Id): Value | undefined {
    const entry = this.#entries.get(id);
    return entry && entry.expires > Date.now() ? entry.value : undefined;
  }

  remember(id: Id, value: Value): Value {
    this.#entries.set(id, { value, expires: Date.now() + this.#lifetime });
    return value;
  }

  forget(id: Id): boolean {
    return this.#entries.delete(id);
  }
}

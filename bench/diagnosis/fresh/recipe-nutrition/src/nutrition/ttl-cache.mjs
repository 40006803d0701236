export class TtlCache {
  #entries = new Map();

  constructor({ ttlMs }) {
    this.ttlMs = ttlMs;
  }

  read(key) {
    const entry = this.#entries.get(key);
    if (!entry || entry.until < Date.now()) return undefined;
    return entry.value;
  }

  write(key, value) {
    this.#entries.set(key, { value, until: Date.now() + this.ttlMs });
    return value;
  }

  drop(key) {
    return this.#entries.delete(key);
  }
}

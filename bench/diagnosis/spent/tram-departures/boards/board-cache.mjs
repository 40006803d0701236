export class BoardCache {
  #entries = new Map();

  constructor({ maxEntries, ttlMs }) {
    this.maxEntries = maxEntries;
    this.ttlMs = ttlMs;
  }

  #evict() {
    while (this.#entries.size > this.maxEntries) {
      const [oldest] = this.#entries.keys();
      this.#entries.delete(oldest);
    }
  }

  async getOrLoad(key, load) {
    const entry = this.#entries.get(key);
    if (entry && entry.expires > Date.now()) return entry.value;
    const value = await load();
    this.#entries.set(key, { value, expires: Date.now() + this.ttlMs });
    this.#evict();
    return value;
  }
}

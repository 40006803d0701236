/**
 * Counts the requests and spans in a body that dd-trace sent to its agent's `/v0.4/traces`: a MessagePack array of traces, each of which is
 * an array of spans. A trace is a request if its root span has the type `web`.
 */
export function countDatadog(body: Buffer): { requests: number; spans: number } {
  let requests = 0;
  let spans = 0;
  for (const trace of lists(new MessagePack(body).next())) {
    const all = lists(trace);
    spans += all.length;
    if (all.some((span) => span instanceof Map && span.get('type') === 'web' && isRoot(span))) requests++;
  }
  return { requests, spans };
}

function isRoot(span: ReadonlyMap<unknown, unknown>): boolean {
  return span.get('parent_id') === 0n || span.get('parent_id') === 0;
}

function lists(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('dd-trace sent something else than traces');
  return value;
}

/** Reads the subset of MessagePack that traces use. */
class MessagePack {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): unknown {
    const type = this.#unsigned(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 15);
    if (type < 0xa0) return this.#array(type & 15);
    if (type < 0xc0) return this.#text(type & 31);
    if (type >= 0xe0) return type - 256;
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
        return false;
      case 0xc3:
        return true;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#slice(this.#unsigned(1 << (type - 0xc4)));
      case 0xca:
        return this.#slice(4).readFloatBE();
      case 0xcb:
        return this.#slice(8).readDoubleBE();
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#unsigned(1 << (type - 0xcc));
      case 0xcf:
        return this.#slice(8).readBigUInt64BE();
      case 0xd0:
      case 0xd1:
      case 0xd2: {
        const length = 1 << (type - 0xd0);
        return this.#slice(length).readIntBE(0, length);
      }
      case 0xd3:
        return this.#slice(8).readBigInt64BE();
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#unsigned(1 << (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#array(this.#unsigned(2 << (type - 0xdc)));
      case 0xde:
      case 0xdf:
        return this.#map(this.#unsigned(2 << (type - 0xde)));
      default:
        throw new Error(`dd-trace sent a MessagePack type ${type}`);
    }
  }

  #unsigned(length: number): number {
    return this.#slice(length).readUIntBE(0, length);
  }

  #slice(length: number): Buffer {
    const from = this.#at;
    this.#at += length;
    return this.#bytes.subarray(from, this.#at);
  }

  #text(length: number): string {
    return this.#slice(length).toString('utf8');
  }

  #array(length: number): unknown[] {
    return Array.from({ length }, () => this.next());
  }

  #map(length: number): Map<unknown, unknown> {
    const map = new Map<unknown, unknown>();
    for (let entry = 0; entry < length; entry++) map.set(this.next(), this.next());
    return map;
  }
}

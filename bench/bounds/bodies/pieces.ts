/** Bytes that are generated while they are read: a body of 64 MB uses no more memory than its largest chunk. */
export interface Pieces {
  bytes(): number;
  chunks(): Iterable<Buffer>;
}

const CHUNK_BYTES = 1024 * 1024;

/** Size of a body that is nearly as large as the server accepts, in bytes. */
export const FULL_BYTES = 60 * 1024 * 1024;

export function raw(content: string | Buffer): Pieces {
  const bytes = Buffer.from(content);
  return { bytes: () => bytes.length, chunks: () => [bytes] };
}

export function repeat(unit: string | Buffer, count: number): Pieces {
  const one = Buffer.from(unit);
  const perChunk = Math.max(1, Math.min(count, Math.floor(CHUNK_BYTES / one.length)));
  return {
    bytes: () => one.length * count,
    *chunks() {
      const chunk = Buffer.alloc(one.length * perChunk, one);
      let left = count;
      for (; left >= perChunk; left -= perChunk) yield chunk;
      if (left > 0) yield chunk.subarray(0, left * one.length);
    },
  };
}

/** Repeats a unit as often as it fits into the given size. */
export function fill(unit: string | Buffer, bytes = FULL_BYTES): Pieces {
  return repeat(unit, Math.floor(bytes / Buffer.byteLength(unit)));
}

/** Concatenates `count` strings, each built from its index. */
export function numbered(count: number, build: (index: number) => string): Pieces {
  const chunks = function* () {
    let chunk: string[] = [];
    let length = 0;
    for (let index = 0; index < count; index += 1) {
      const text = build(index);
      chunk.push(text);
      length += text.length;
      if (length < CHUNK_BYTES) continue;
      yield Buffer.from(chunk.join(''));
      chunk = [];
      length = 0;
    }
    yield Buffer.from(chunk.join(''));
  };
  return { bytes: once(() => chunks().reduce((total, { length }) => total + length, 0)), chunks };
}

/**
 * Repeats a template. `write` changes the bytes that differ between copies. `write` receives the copy's index and the copy's offset in the
 * chunk.
 */
export function copies(
  template: Buffer,
  count: number,
  write: (chunk: Buffer, at: number, index: number) => void,
): Pieces {
  const perChunk = Math.max(1, Math.floor(CHUNK_BYTES / template.length));
  return {
    bytes: () => template.length * count,
    *chunks() {
      for (let first = 0; first < count; first += perChunk) {
        const here = Math.min(perChunk, count - first);
        const chunk = Buffer.alloc(here * template.length, template);
        for (let index = 0; index < here; index += 1) write(chunk, index * template.length, first + index);
        yield chunk;
      }
    },
  };
}

/** Computes the size only when it is first read, because most bodies never need it. */
function once(count: () => number): () => number {
  let counted: number | undefined;
  return () => {
    counted ??= count();
    return counted;
  };
}

export function join(...parts: readonly (Pieces | string | Buffer)[]): Pieces {
  const all = parts.map((part) => (typeof part === 'string' || Buffer.isBuffer(part) ? raw(part) : part));
  return {
    bytes: () => all.reduce((total, part) => total + part.bytes(), 0),
    *chunks() {
      for (const part of all) yield* part.chunks();
    },
  };
}

/** Builds a JSON list that repeats one item. */
export function buildList(item: string, bytes = FULL_BYTES): Pieces {
  return join('[', fill(`${item},`, bytes), item, ']');
}

/** Builds a JSON list of different items. */
export function listOfNumbered(count: number, build: (index: number) => string): Pieces {
  return join(
    '[',
    numbered(count, (index) => (index === 0 ? '' : ',') + build(index)),
    ']',
  );
}

const BLOCK_BYTES = 256 * 1024;
/** A larger trace gets memory of its own. */
const MAX_BYTES_IN_BLOCK = BLOCK_BYTES / 4;
const MAX_FREE_BLOCKS = 8;

interface Block {
  readonly bytes: Buffer;
  end: number;
  /** The number of traces in the space. */
  traces: number;
}

/** A trace as JSON in UTF-8, and where that stands. */
export interface Placed {
  readonly json: Uint8Array;
  readonly block: Block | null;
}

/**
 * Memory for traces between their end and their delivery. They go in and out in about the same order, so a few blocks serve again and again: a buffer
 * for each would be memory outside of V8's heap, and so much of it makes V8 collect the whole heap for the host.
 */
export class BufferPool {
  #block: Block | null = null;
  readonly #free: Block[] = [];

  /** Copies the trace; the copy is good until it is given back. */
  place(json: Uint8Array): Placed {
    const size = json.length;
    if (size > MAX_BYTES_IN_BLOCK) return { json: Buffer.from(json), block: null };
    let block = this.#block;
    if (block === null || block.end + size > BLOCK_BYTES) {
      block = this.#free.pop() ?? { bytes: Buffer.allocUnsafeSlow(BLOCK_BYTES), end: 0, traces: 0 };
      this.#block = block;
    }
    const start = block.end;
    block.bytes.set(json, start);
    block.end += size;
    block.traces++;
    return { json: block.bytes.subarray(start, block.end), block };
  }

  /** Once for each trace: nobody looks at it any more. */
  release({ block }: Placed): void {
    if (block === null) return;
    block.traces--;
    if (block.traces > 0) return;
    block.end = 0;
    if (block !== this.#block && this.#free.length < MAX_FREE_BLOCKS) this.#free.push(block);
  }
}

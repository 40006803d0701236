const BLOCK_BYTES = 256 * 1024;
/** A larger trace gets its own buffer. */
const MAX_BYTES_IN_BLOCK = BLOCK_BYTES / 4;
const MAX_FREE_BLOCKS = 8;

interface Block {
  readonly bytes: Buffer;
  end: number;
  /** Number of traces in the block. */
  traces: number;
}

/** A trace as UTF-8 JSON, and the block that contains it. */
export interface Placed {
  readonly json: Uint8Array;
  readonly block: Block | null;
}

/**
 * Memory for traces between their end and their delivery. Traces leave in roughly the order in which they came, so a few blocks are reused.
 * A buffer per trace would be memory outside V8's heap, and so much of that makes V8 collect the host's whole heap.
 */
export class BufferPool {
  #block: Block | null = null;
  readonly #free: Block[] = [];

  /** Copies the trace. The copy is valid until it is released. */
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

  /** Releases a trace's memory. Must be called once per trace, when the copy is no longer used. */
  release({ block }: Placed): void {
    if (block === null) return;
    block.traces--;
    if (block.traces > 0) return;
    block.end = 0;
    if (block !== this.#block && this.#free.length < MAX_FREE_BLOCKS) this.#free.push(block);
  }
}

const BLOCK_BYTES = 256 * 1024;
/** Maximum size of a trace that is placed in a block, in bytes. A larger trace gets a buffer of its own. */
const MAX_BYTES_IN_BLOCK = BLOCK_BYTES / 4;
const MAX_FREE_BLOCKS = 8;

interface Block {
  readonly bytes: Buffer;
  end: number;
  /** Number of traces that the block contains now. */
  traces: number;
}

/** A trace as UTF-8 JSON, and the block that contains it. */
export interface Placed {
  readonly json: Uint8Array;
  readonly block: Block | null;
}

/**
 * Memory for ended traces until they are delivered. Traces leave in roughly the order in which they came, so a few blocks of memory can be
 * reused. A new buffer per trace would allocate so much memory outside of V8's heap that V8 would collect the host's whole heap.
 */
export class BufferPool {
  #block: Block | null = null;
  readonly #free: Block[] = [];

  /** Copies a trace into the pool. The copy is valid until it is released. */
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

  /** Releases the memory of a trace. Must be called once for each trace that {@link place} copied, when its bytes are not needed any more. */
  release({ block }: Placed): void {
    if (block === null) return;
    block.traces--;
    if (block.traces > 0) return;
    block.end = 0;
    if (block !== this.#block && this.#free.length < MAX_FREE_BLOCKS) this.#free.push(block);
  }
}

const PREFIX = new TextEncoder().encode('{"trace":');
const CLOSE_BRACE = 0x7d;

type Bytes = Uint8Array<ArrayBuffer>;

/** Yields the trace's JSON from a response `{"trace":…}`, chunk by chunk. Passes any other response through unchanged. */
export async function* unwrapTrace(answer: AsyncIterable<Bytes>): AsyncGenerator<Bytes, void> {
  let wrapped: boolean | undefined;
  /** The newest chunk, held back because the response's final brace is not part of the trace. */
  let last: Bytes = new Uint8Array(0);
  for await (const part of answer) {
    if (wrapped !== undefined) {
      if (part.length === 0) continue;
      yield last;
      last = part;
      continue;
    }
    last = joinBytes(last, part);
    if (last.length < PREFIX.length) continue;
    wrapped = PREFIX.every((byte, index) => last[index] === byte);
    if (wrapped) last = last.subarray(PREFIX.length);
  }
  yield wrapped === true && last.at(-1) === CLOSE_BRACE ? last.subarray(0, -1) : last;
}

function joinBytes(before: Bytes, part: Bytes): Bytes {
  if (before.length === 0) return part;
  const both = new Uint8Array(before.length + part.length);
  both.set(before);
  both.set(part, before.length);
  return both;
}

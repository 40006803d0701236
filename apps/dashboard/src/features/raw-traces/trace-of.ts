const PREFIX = new TextEncoder().encode('{"trace":');

/** The trace's own JSON of the answer `{"trace":…}`. An answer that is put otherwise comes back as it is. */
export function traceOf(answer: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const wrapped = PREFIX.every((byte, index) => answer[index] === byte);
  return wrapped && answer.at(-1) === 0x7d ? answer.subarray(PREFIX.length, -1) : answer;
}

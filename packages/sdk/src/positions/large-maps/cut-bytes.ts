/** Cuts bytes into slices of at most `length` bytes, without copying. */
export function* cutBytes(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

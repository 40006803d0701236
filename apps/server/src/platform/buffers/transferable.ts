/** Returns the bytes in memory of their own, which can be transferred to another thread. */
export function toTransferable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  return ownsMemory(bytes) ? new Uint8Array(bytes.buffer) : Uint8Array.from(bytes);
}

/** True if the bytes fill their whole ArrayBuffer, so that the memory contains nothing else. */
export function ownsMemory(bytes: Buffer): bytes is Buffer<ArrayBuffer> {
  const { buffer, byteOffset, length } = bytes;
  return buffer instanceof ArrayBuffer && byteOffset === 0 && buffer.byteLength === length;
}

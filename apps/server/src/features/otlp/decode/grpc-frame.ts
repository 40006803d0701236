/** Number of bytes before each message of a gRPC call: one byte for the compression flag, four for the length of the message. */
export const FRAME_HEAD_BYTES = 5;

export interface FrameHead {
  /** 0 for a message without compression, 1 for a compressed message. */
  readonly flag: number | undefined;
  /** The length of the message in bytes, as the head announces it. */
  readonly messageBytes: number;
  /** The bytes after the head that were in the same chunk: the first part of the message. */
  readonly rest: Buffer;
}

/** Reads the head of a message. `bytes` are the message's first bytes, at least {@link FRAME_HEAD_BYTES} of them. */
export function readFrameHead(bytes: Buffer): FrameHead {
  return { flag: bytes[0], messageBytes: bytes.readUInt32BE(1), rest: bytes.subarray(FRAME_HEAD_BYTES) };
}

/** Adds the frame's head to an uncompressed message. */
export function frameMessage(message: Buffer): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

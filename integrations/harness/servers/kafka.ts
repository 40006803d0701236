import { createServer } from 'node:net';
import { listen, type SmallServer } from './listen.ts';

/** A broker that accepts messages for its only topic. */
export interface KafkaServer extends SmallServer {
  /** Produce requests as received. They contain uncompressed record batches, which tests inspect. */
  readonly produced: readonly Buffer[];
}

const produce = 0;
const metadata = 3;
const apiVersions = 18;
/** The only supported version of each API call. */
const versions: readonly (readonly [call: number, version: number])[] = [
  [produce, 3],
  [metadata, 1],
  [apiVersions, 2],
];
const nodeId = 1;
const none = -1;

/**
 * Starts a server with the part of Kafka's protocol that a client needs to find a broker and one partition of `topic`, and to produce. The
 * tests then need no Kafka.
 */
export async function startKafka(topic: string): Promise<KafkaServer> {
  const produced: Buffer[] = [];
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= 4 && pending.length >= 4 + pending.readInt32BE(0)) {
        const request = pending.subarray(4, 4 + pending.readInt32BE(0));
        pending = pending.subarray(4 + request.length);
        const call = request.readInt16BE(0);
        if (call === produce) produced.push(request);
        const body = Buffer.concat([request.subarray(4, 8), ...answer(call, topic, socket.localPort ?? 0)]);
        socket.write(Buffer.concat([int32(body.length), body]));
      }
    });
  });
  return { ...(await listen(server)), produced };
}

function answer(call: number, topic: string, port: number): readonly Buffer[] {
  switch (call) {
    case apiVersions:
      return [
        int16(0),
        int32(versions.length),
        ...versions.flatMap(([known, version]) => [int16(known), int16(version), int16(version)]),
        int32(0),
      ];
    case metadata: {
      const broker = [int32(nodeId), text('127.0.0.1'), int32(port), int16(none)];
      const replicas = [int32(1), int32(nodeId)];
      const partition = [int16(0), int32(0), int32(nodeId), ...replicas, ...replicas];
      const isInternal = Buffer.from([0]);
      const found = [int16(0), text(topic), isInternal, int32(1), ...partition];
      return [int32(1), ...broker, int32(nodeId), int32(1), ...found];
    }
    default: {
      const [offset, time] = [int64(41n), int64(BigInt(none))];
      return [int32(1), text(topic), int32(1), int32(0), int16(0), offset, time, int32(0)];
    }
  }
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([int16(bytes.length), bytes]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

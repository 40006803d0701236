import { createServer } from 'node:net';
import { BSON } from 'mongodb';
import { listen, type SmallServer } from './listen.ts';

const query = 2004;
const reply = 1;
const message = 2013;
const headerBytes = 16;

/**
 * Starts a server with the part of MongoDB's wire protocol that a client needs to connect and find one document. The tests then need
 * no MongoDB.
 */
export function startMongo(): Promise<SmallServer> {
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      while (pending.length >= headerBytes && pending.length >= pending.readInt32LE(0)) {
        const packet = pending.subarray(0, pending.readInt32LE(0));
        pending = pending.subarray(packet.length);
        socket.write(answer(packet));
      }
    });
  });
  return listen(server);
}

function answer(packet: Buffer): Buffer {
  const requestId = packet.readInt32LE(4);
  if (packet.readInt32LE(12) === query) {
    const body = BSON.serialize(hello());
    return packed(reply, requestId, [Buffer.alloc(16), int32(1), body]);
  }
  // The body begins with the flags and the kind of the first section. The document of this section is the command.
  const start = headerBytes + 5;
  const command = BSON.deserialize(packet.subarray(start, start + packet.readInt32LE(start)));
  return packed(message, requestId, [int32(0), Buffer.from([0]), BSON.serialize(buildResult(command))]);
}

function buildResult(command: BSON.Document): BSON.Document {
  if ('hello' in command || 'ismaster' in command) return hello();
  if (!('find' in command)) return { ok: 1 };
  return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: 'shop.orders', firstBatch: [{ _id: 1, total: 3 }] } };
}

function hello(): BSON.Document {
  return {
    ok: 1,
    helloOk: true,
    isWritablePrimary: true,
    ismaster: true,
    maxBsonObjectSize: 16_777_216,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    minWireVersion: 0,
    maxWireVersion: 25,
    readOnly: false,
    localTime: new Date(0),
  };
}

function packed(opcode: number, responseTo: number, parts: readonly Uint8Array[]): Buffer {
  const length = headerBytes + parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([int32(length), int32(responseTo + 1), int32(responseTo), int32(opcode), ...parts]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

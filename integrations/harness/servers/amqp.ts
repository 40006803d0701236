import { createServer, type Socket } from 'node:net';
import { listen, type SmallServer } from './listen.ts';

/** A broker that accepts published messages. */
export interface AmqpServer extends SmallServer {
  /** Header frames of the published messages as received. They contain routing and properties, which tests inspect. */
  readonly published: readonly Buffer[];
}

const method = 1;
const contentHeader = 2;
const headerBytes = 7;

/**
 * Starts a server with the part of AMQP 0-9-1 that a client needs to connect, open a channel and publish. The tests then need no RabbitMQ.
 */
export async function startAmqp(): Promise<AmqpServer> {
  const published: Buffer[] = [];
  const server = createServer((socket) => {
    let pending = Buffer.alloc(0);
    let greeted = false;
    socket.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk]);
      if (!greeted && pending.length >= 8) {
        greeted = true;
        pending = pending.subarray(8);
        // Connection.Start: version, properties, mechanisms, locales.
        const product = Buffer.concat([Buffer.from('\x07productS'), longText('RabbitMQ')]);
        const properties = Buffer.concat([int32(product.length), product]);
        send(socket, 0, 10, 10, [Buffer.from([0, 9]), properties, longText('PLAIN'), longText('en_US')]);
      }
      while (pending.length >= headerBytes && pending.length >= headerBytes + 1 + pending.readUInt32BE(3)) {
        const frame = pending.subarray(0, headerBytes + 1 + pending.readUInt32BE(3));
        pending = pending.subarray(frame.length);
        if (frame[0] === method) answer(socket, frame);
        if (frame[0] === contentHeader) published.push(frame);
      }
    });
  });
  return { ...(await listen(server)), published };
}

function answer(socket: Socket, frame: Buffer): void {
  const channel = frame.readUInt16BE(1);
  const asked = `${frame.readUInt16BE(7)}.${frame.readUInt16BE(9)}`;
  // Responds to Start-Ok with Tune (channels, frame size, no heartbeat), and to Open, Channel.Open and Close with their `-Ok`.
  if (asked === '10.11')
    send(socket, 0, 10, 30, [Buffer.from([0, 100]), int32(131_072), Buffer.from([0, 0])]);
  if (asked === '10.40') send(socket, 0, 10, 41, [Buffer.from([0])]);
  if (asked === '20.10') send(socket, channel, 20, 11, [int32(0)]);
  if (asked === '10.50') send(socket, 0, 10, 51, []);
}

function send(socket: Socket, channel: number, kind: number, id: number, parts: readonly Buffer[]): void {
  const payload = Buffer.concat([int16(kind), int16(id), ...parts]);
  socket.write(
    Buffer.concat([
      Buffer.from([method]),
      int16(channel),
      int32(payload.length),
      payload,
      Buffer.from([0xce]),
    ]),
  );
}

function longText(text: string): Buffer {
  return Buffer.concat([int32(text.length), Buffer.from(text)]);
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

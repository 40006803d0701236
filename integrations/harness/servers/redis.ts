import { createServer } from 'node:net';
import { listen, type SmallServer } from './listen.ts';

/**
 * Starts a server with the part of Redis's protocol (RESP2) that the clients need. The tests then need no Redis. The server stores
 * keys, reports version 7, and responds to scripts with a number.
 */
export function startRedis(): Promise<SmallServer> {
  const values = new Map<string, string>();
  let scripts = 0;
  const answer = ([name = '', ...args]: string[]): string => {
    switch (name.toUpperCase()) {
      case 'HELLO':
        return '-NOPROTO unsupported protocol version\r\n';
      case 'INFO':
        return bulk('redis_version:7.4.0\r\nmaxmemory_policy:noeviction\r\nloading:0\r\n');
      case 'GET':
        return bulk(values.get(args[0] ?? ''));
      case 'SET':
        values.set(args[0] ?? '', args[1] ?? '');
        return '+OK\r\n';
      case 'INCR':
        return '-ERR value is not an integer or out of range\r\n';
      case 'EVAL':
      case 'EVALSHA':
        scripts++;
        return bulk(String(scripts));
      default:
        return '+OK\r\n';
    }
  };
  const server = createServer((socket) => {
    let pending = '';
    socket.setEncoding('latin1').on('data', (text) => {
      pending += text;
      for (let command = readCommand(pending); command !== undefined; command = readCommand(pending)) {
        pending = pending.slice(command.length);
        socket.write(answer(command.words), 'latin1');
      }
    });
  });
  return listen(server);
}

function bulk(value: string | undefined): string {
  return value === undefined ? '$-1\r\n' : `$${value.length}\r\n${value}\r\n`;
}

/** Reads the first complete command, such as `*2\r\n$3\r\nGET\r\n$1\r\nk\r\n`. */
function readCommand(text: string): { words: string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text);
  if (head === null) return undefined;
  let at = head[0].length;
  const words: string[] = [];
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at, at + 32));
    if (size === null) return undefined;
    at += size[0].length;
    const length = Number(size[1]);
    if (text.length < at + length + 2) return undefined;
    words.push(text.slice(at, at + length));
    at += length + 2;
  }
  return { words, length: at };
}

import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from './platform/http/errors.ts';
import type { Logger } from './platform/log.ts';

/** Calls of the operator to the running server. */
export interface OperatorCalls {
  /** Rejects when a store does not answer. */
  readonly ping: () => Promise<void>;
  /** The file's bytes. */
  readonly backup: () => AsyncIterable<Buffer>;
  /** @throws AppError */
  readonly createOwner: (account: unknown) => Promise<void>;
  /** Returns the account's plan then, in words. @throws AppError */
  readonly setPlan: (assignment: unknown) => Promise<string>;
}

/** The system's limit for a socket's path, without the NUL behind it; the lower one, of macOS. */
const MAX_SOCKET_PATH_BYTES = 103;
const MAX_BODY_BYTES = 64 * 1024;

/** Where the process that uses a data folder listens for commands. Undefined where the folder's name is too long for a socket. */
export function operatorSocket(dataDir: string): string | undefined {
  const path = join(dataDir, 'operator.sock');
  return Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES ? undefined : path;
}

/**
 * Takes commands of this machine, of the user that the server runs as: HTTP on a socket in the data folder, which no network reaches. Stores in
 * the folder have one process, so a backup must be asked of it.
 */
export async function openOperatorDoor(
  dataDir: string,
  { calls, log }: { readonly calls: OperatorCalls; readonly log: Logger },
): Promise<{ close(): Promise<void> }> {
  const path = operatorSocket(dataDir);
  if (path === undefined) return { close: async () => {} };
  // The folder is this process's alone: what is there is left from one that was killed.
  await rm(path, { force: true });
  const server = createServer((request, response) => {
    answer(request, response, calls).catch((err: unknown) => {
      if (!(err instanceof AppError)) log.error({ err, url: request.url }, 'a command failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { message: err instanceof Error ? err.message : String(err) });
    });
  });
  await new Promise<void>((resolve) => {
    server.once('error', (err) => {
      log.warn({ err }, 'commands such as backup will not reach this server while it runs');
      resolve();
    });
    server.listen(path, resolve);
  });
  if (server.listening) await chmod(path, 0o600);
  return {
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  calls: OperatorCalls,
): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /status':
      await calls.ping();
      return sendJson(response, 200, { message: 'ready' });
    case 'GET /backup':
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      return pipeline(calls.backup(), response);
    case 'POST /owners':
      await calls.createOwner(await readJson(request));
      return sendJson(response, 201, { message: 'made' });
    case 'POST /plans':
      return sendJson(response, 200, { message: await calls.setPlan(await readJson(request)) });
    default:
      return sendJson(response, 404, {
        message: 'The running server has another version and does not know this command.',
      });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) throw new TypeError('a body arrived decoded');
    length += piece.length;
    if (length > MAX_BODY_BYTES) throw new AppError('payload_too_large');
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString());
}

function sendJson(response: ServerResponse, status: number, body: { readonly message: string }): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

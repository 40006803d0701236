import { chmod, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from './platform/http/errors.ts';
import type { Logger } from './platform/log.ts';

/** Requests that the operator's commands can send to the running server. */
export interface OperatorCalls {
  /** Rejects if a store does not respond. */
  readonly ping: () => Promise<void>;
  /** Yields the bytes of a backup file. */
  readonly backup: () => AsyncIterable<Buffer>;
  /** @throws AppError */
  readonly createOwner: (account: unknown) => Promise<void>;
  /** Gives an account a plan. Returns a description of the account's plan. @throws AppError */
  readonly setPlan: (assignment: unknown) => Promise<string>;
}

/** Maximum length of a socket's path on macOS, in bytes and without the final NUL. Linux allows longer paths. */
const MAX_SOCKET_PATH_BYTES = 103;
const MAX_BODY_BYTES = 64 * 1024;

/**
 * Returns the path of the socket on which the server that uses a data folder receives the operator's commands. Returns undefined if the
 * path would be too long for a socket.
 */
export function findOperatorSocket(dataDir: string): string | undefined {
  const path = join(dataDir, 'operator.sock');
  return Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES ? undefined : path;
}

/**
 * Accepts commands from the same machine and the same user: HTTP on a socket in the data folder, which is unreachable over the network.
 * Commands such as a backup need the server, because only one process can open the stores in a folder.
 */
export async function openAdminSocket(
  dataDir: string,
  { calls, log }: { readonly calls: OperatorCalls; readonly log: Logger },
): Promise<{ close(): Promise<void> }> {
  const path = findOperatorSocket(dataDir);
  if (path === undefined) return { close: async () => {} };
  // Only this process uses the folder, so an existing socket was left by a killed process.
  await rm(path, { force: true });
  const server = createServer((request, response) => {
    answer(request, response, calls).catch((err: unknown) => {
      if (!(err instanceof AppError))
        log.error({ err, url: request.url }, 'a throughline command that was sent to this server failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { message: err instanceof Error ? err.message : String(err) });
    });
  });
  await new Promise<void>((resolve) => {
    server.once('error', (err) => {
      log.warn(
        { err },
        'the socket for commands could not be opened: commands such as backup cannot reach this server',
      );
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
    if (!Buffer.isBuffer(piece)) throw new TypeError('the body consists of strings instead of bytes');
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

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { findOperatorSocket } from '../admin-socket.ts';
import type { DataDirBusy } from '../platform/start/data-dir-lock.ts';
import { CommandFailed } from './command.ts';

const Message = z.object({ message: z.string() });

/**
 * Sends a request to the server that uses a data folder. Resolves with the response if it is successful.
 * @throws CommandFailed if the server cannot be reached or refuses the request
 */
export async function askServer(
  dataDir: string,
  call: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown },
  busy: DataDirBusy,
): Promise<IncomingMessage> {
  const socketPath = findOperatorSocket(dataDir);
  if (socketPath === undefined || !existsSync(socketPath))
    throw new CommandFailed(busy.message, { cause: busy });
  const asked = request({ socketPath, method: call.method, path: call.path });
  asked.end(call.body === undefined ? undefined : JSON.stringify(call.body));
  const [answer] = await once(asked, 'response').catch((cause: unknown) => {
    throw new CommandFailed(busy.message, { cause });
  });
  if (answer.statusCode < 300) return answer;
  const message = Message.safeParse(JSON.parse(await text(answer)));
  throw new CommandFailed(
    message.success ? message.data.message : `The server responded with ${answer.statusCode}.`,
  );
}

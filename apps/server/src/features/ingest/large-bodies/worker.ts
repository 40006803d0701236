import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../platform/http/errors.ts';
import type { Intake } from '../intake.ts';
import { toMessage } from './batch-message.ts';
import type { LargeBody, LargeBodyResult } from './protocol.ts';
import { readLargeBody } from './read-large-body.ts';

// On Linux this is the thread's own priority, elsewhere it would be the whole process's: the event loop and the stores go first.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);

/** A thread that reads large bodies, one at a time. Nothing that it imports opens a store. */
parentPort?.on('message', async (body: LargeBody) => {
  const result = await readBody(body);
  const rows = 'batch' in result ? result.batch.pieces.map(({ buffer }) => buffer) : [];
  parentPort?.postMessage(result, rows);
});

async function readBody(body: LargeBody): Promise<LargeBodyResult> {
  try {
    const { intake }: { readonly intake: Intake } = await import(body.module);
    return { batch: toMessage(await readLargeBody(body, intake)) };
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, details, headers } = error;
      return { refusal: { code, message, details, headers } };
    }
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../platform/http/errors.ts';
import { collectBytes } from '../../../platform/start/heap.ts';
import { lowerThreadPriority } from '../../../platform/start/thread-priority.ts';
import type { Intake } from '../intake/intake.ts';
import { FirstFailures, isReadingFailure } from '../intake/reading-failures.ts';
import { toMessage } from './batch-message.ts';
import type { LargeBody, LargeBodyResult } from './protocol.ts';
import { readLargeBody } from './read-large-body.ts';

lowerThreadPriority();

/** Reads large bodies in this thread, one at a time. The module's imports must not open a store. */
parentPort?.on('message', async (body: LargeBody) => {
  const result = await readBody(body);
  const rows = 'batch' in result ? result.batch.pieces.map(({ buffer }) => buffer) : [];
  parentPort?.postMessage(result, rows);
  collectBytes();
});

async function readBody(body: LargeBody): Promise<LargeBodyResult> {
  const failures = new FirstFailures();
  let isReading = false;
  try {
    const { intake }: { readonly intake: Intake } = await import(body.module);
    isReading = true;
    const batch = await readLargeBody(body, intake, failures.add);
    isReading = false;
    const { first, further } = failures;
    return { batch: toMessage(batch), failures: { first: first.map(describe), further } };
  } catch (error) {
    if (error instanceof AppError) {
      const { code, message, details, headers } = error;
      return { refusal: { code, message, details, headers } };
    }
    // Only a failure to read the body is final. Loading the code and passing the rows on do not depend on the body, so they can succeed
    // later.
    return { failure: describe(error), isFinal: isReading && isReadingFailure(error) };
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

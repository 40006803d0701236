import { JsonBounds } from '../../../platform/json-bounds/json-bounds.ts';
import type { Batch } from '../batch/batch.ts';
import { runWithinLimits } from '../decode/json-limits.ts';
import { createRedactors } from '../encode/redactors.ts';
import type { Admission, Intake } from '../intake/intake.ts';
import { isAllocationFailure } from '../intake/reading-failures.ts';
import { buildLimitError } from '../receive/over-limit.ts';
import { withUnpacked } from '../unpack/unpack-large.ts';
import type { LargeBody } from './protocol.ts';

const redactorFor = createRedactors();

/**
 * Unpacks a body, checks its JSON limits meanwhile, and builds a batch from it.
 * @throws AppError if no trace of the body can be accepted
 */
export async function readLargeBody(
  body: LargeBody,
  { boundingOf, admit }: Intake,
  onFailure: Admission['onFailure'],
): Promise<Batch> {
  const { packed, encoding, contentType, project, nowMicros, batchKey, fullTraces } = body;
  const bounding = boundingOf(contentType);
  const bounds = bounding && new JsonBounds(bounding.limits);
  const admission = {
    project,
    redactor: redactorFor(project.redaction),
    nowMicros,
    batchKey,
    isCounted: bounds !== undefined,
    onEventLoop: false,
    fullTraces,
    onFailure,
  };
  const read = () =>
    withUnpacked(
      Buffer.from(packed.buffer),
      encoding,
      (piece) => bounds?.add(piece),
      (bytes) => admit(bytes, contentType, admission),
    );
  try {
    return await runWithinLimits(bounding?.names, read);
  } catch (error) {
    // A RangeError that is no allocation failure means that a string or array exceeded the engine's size limits, or recursion the stack.
    const isTooLarge = error instanceof RangeError && !isAllocationFailure(error);
    throw isTooLarge ? buildLimitError('memoryBytes', { cause: error }) : error;
  }
}

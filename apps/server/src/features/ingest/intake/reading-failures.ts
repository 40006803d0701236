import { AppError } from '../../../platform/http/errors.ts';
import { JsonTooLarge } from '../../../platform/json-bounds/json-bounds.ts';
import { NeedsWorker } from './intake.ts';

/** Thrown if reading a body failed unexpectedly. Reading the same body again would fail again, so its sender must not send it again. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

/**
 * True for an unexpected error while a trace or a body is read, such as a TypeError. False for errors that are reported to the sender, and
 * for failures of the system, such as too little memory, since the same body can be read later.
 */
export function isReadingFailure(error: unknown): boolean {
  if (error instanceof AppError || error instanceof JsonTooLarge || error instanceof NeedsWorker)
    return false;
  return !isAllocationFailure(error) && !(error instanceof Error && 'syscall' in error);
}

/** True if the process had too little memory. */
export function isAllocationFailure(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('allocation failed');
}

/** Maximum number of errors that are logged per body. A body can have a hundred thousand spans with the same fault. */
const MAX_LOGGED = 3;

/** The unexpected errors of one body's traces or spans. Keeps the first errors, and only counts the others. */
export class FirstFailures {
  readonly first: unknown[] = [];
  further = 0;

  readonly add = (error: unknown): void => {
    if (this.first.length < MAX_LOGGED) this.first.push(error);
    else this.further += 1;
  };
}

/** The reason for the rejection of a trace or span that could not be read because of an unexpected error. */
export const NOT_READABLE =
  'the server cannot read this, and its log contains the reason; do not send it again';

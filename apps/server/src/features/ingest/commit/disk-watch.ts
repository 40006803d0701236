import { type DiskTrouble, findDiskTrouble } from '../../../platform/disks/disk-trouble.ts';
import { AppError } from '../../../platform/http/errors.ts';
import type { Logger } from '../../../platform/log.ts';

/** The error message for senders and the log message for the operator. */
const TEXTS: Readonly<Record<DiskTrouble, { readonly answer: string; readonly remedy: string }>> = {
  full: {
    answer:
      "The server's disk is full, and nothing of this batch was stored. Send the batch again when there is space.",
    remedy:
      'the disk that stores traces is full, and senders are refused: free space on the disk (DATA_DIR, or the disk of ClickHouse), or set MAX_DISK_GB so that old traces are deleted in time',
  },
  'read-only': {
    answer:
      "The server's disk is read-only, and nothing of this batch was stored. Send the batch again when the disk is writable.",
    remedy:
      'the disk that stores traces has become read-only, and senders are refused: mount the disk for writing (DATA_DIR, or the disk of ClickHouse); the system log contains the reason',
  },
};
const RETRY_AFTER_SECONDS = 30;

/** Logs a disk problem once, however many batches are refused, until a batch can be stored again. */
export class DiskWatch {
  readonly #log: Logger;
  #reported: DiskTrouble | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Returns the error for a batch that failed because of the disk; undefined for other errors. */
  refusal(error: unknown): AppError | undefined {
    const trouble = findDiskTrouble(error);
    if (trouble === undefined) return undefined;
    const { answer, remedy } = TEXTS[trouble];
    if (this.#reported !== trouble) this.#log.error({ err: error }, remedy);
    this.#reported = trouble;
    return new AppError('unavailable', answer, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
      cause: error,
      logged: true,
    });
  }

  /** Records that a batch was stored, which ends a disk problem. */
  wrote(): void {
    if (this.#reported === undefined) return;
    this.#reported = undefined;
    this.#log.info('traces can be stored again');
  }
}

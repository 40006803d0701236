import type { ErrorCode, ErrorDetails } from '@throughline/contract';
import type { IngestProject } from '../../projects/index.ts';
import type { Encoding } from '../receive/encodings.ts';
import type { BatchMessage } from './batch-message.ts';

/** A body for a worker to read. */
export interface LargeBody {
  /** The module of its {@link Intake}. */
  readonly module: string;
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  readonly contentType: string;
  readonly project: IngestProject;
  readonly nowMicros: bigint;
  readonly batchKey: string | undefined;
}

/** An AppError passed between threads. */
export interface RefusalMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The outcome of reading a body. */
export type LargeBodyResult =
  /** `failures` contains the stacks of unexpected errors; the traces that caused them were rejected. */
  | { readonly batch: BatchMessage; readonly failures: readonly string[] }
  | { readonly refusal: RefusalMessage }
  /** A message about a bug in the server, not about the body. */
  | { readonly failure: string };

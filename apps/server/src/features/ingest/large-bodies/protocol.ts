import type { ErrorCode, ErrorDetails } from '@throughline/contract';
import type { IngestProject } from '../../projects/index.ts';
import type { Encoding } from '../receive/encodings.ts';
import type { BatchMessage } from './batch-message.ts';

/** A body for a worker to read. */
export interface LargeBody {
  /** The URL of the module that exports the body's {@link Intake}. */
  readonly module: string;
  readonly packed: Uint8Array<ArrayBuffer>;
  readonly encoding: Encoding;
  readonly contentType: string;
  readonly project: IngestProject;
  readonly nowMicros: bigint;
  readonly batchKey: string | undefined;
  /** Ids of the project's distributed traces that already have the maximum number of spans. */
  readonly fullTraces: ReadonlySet<string>;
}

/** An AppError passed between threads. */
export interface RefusalMessage {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** The unexpected errors of a body's traces, which were rejected: the stacks of the first errors, and the number of the others. */
export interface FailureStacks {
  readonly first: readonly string[];
  readonly further: number;
}

/** The outcome of reading a body. */
export type LargeBodyResult =
  | { readonly batch: BatchMessage; readonly failures: FailureStacks }
  | { readonly refusal: RefusalMessage }
  /** A message about a failure of the server, not about a fault of the body. */
  | {
      readonly failure: string;
      /** True if reading the same body again would fail again. */
      readonly isFinal: boolean;
    };

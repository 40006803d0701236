import type { Redactor } from '@throughline/contract/redaction';
import type { IngestProject } from '../../projects/index.ts';
import type { Batch } from '../batch/batch.ts';
import type { JsonBounding } from '../decode/json-limits.ts';

/** A format in which traces arrive. A module exports its format as `intake`, so that a worker thread can load it too. */
export interface Intake<Type extends string = string> {
  readonly contentTypes: readonly Type[];
  /** The URL of the format's module. The module must not import anything that opens a store. */
  readonly module: string;
  /** A body whose unpacked size exceeds this is read in a worker thread. */
  readonly maxSmallBytes: number;
  /**
   * Returns the JSON limits to check while a body of the type is unpacked. Returns undefined for types that are not JSON or that check
   * their own limits.
   */
  readonly boundingOf: (type: string) => JsonBounding | undefined;
  /**
   * Builds a batch from a body.
   * @throws AppError if no trace of the body can be accepted; JsonTooLarge; NeedsWorker if `onEventLoop`
   */
  readonly admit: (bytes: Buffer, type: string, admission: Admission) => Promise<Batch>;
}

/** Thrown if a small body contains so many spans, traces or values that a worker thread must read it. */
export class NeedsWorker extends Error {
  override readonly name = 'NeedsWorker';
}

/** The project, rules and time that apply when a body is read. */
export interface Admission {
  readonly project: IngestProject;
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
  /** Hash of the idempotency key, if one was sent. */
  readonly batchKey: string | undefined;
  /** True if the JSON limits were already checked while the body was unpacked. */
  readonly isCounted: boolean;
  /** True if the body is read on the event loop, so that other requests wait meanwhile. */
  readonly onEventLoop: boolean;
  /** Ids of the project's distributed traces that already have the maximum number of spans. */
  readonly fullTraces: ReadonlySet<string>;
  /** Receives each unexpected error that occurs while one trace or span is read. The trace or span is then rejected. */
  readonly onFailure: (error: unknown) => void;
}

import type { Redactor } from '@throughline/contract/redaction';
import type { IngestProject } from '../projects/index.ts';
import type { Batch } from './commit.ts';
import type { JsonBounding } from './json-limits.ts';

/** A form in which traces come. A module exports it as `intake`, so that a worker thread can load it too. */
export interface Intake<Type extends string = string> {
  readonly contentTypes: readonly Type[];
  /** The URL of that module. It imports nothing that opens a store. */
  readonly module: string;
  /** A body that unpacks to more is read in another thread. */
  readonly maxSmallBytes: number;
  /** How JSON of a type is bounded while it is unpacked; undefined for what is no JSON, or counts for itself. */
  readonly boundingOf: (type: string) => JsonBounding | undefined;
  /**
   * Makes a batch of a body.
   * @throws AppError where nothing of the body can be accepted; JsonTooLarge
   */
  readonly admit: (bytes: Buffer, type: string, admission: Admission) => Promise<Batch>;
}

/** Under what a body is read. */
export interface Admission {
  readonly project: IngestProject;
  readonly redactor: Redactor;
  readonly nowMicros: bigint;
  /** Hash of the idempotency key, where one was sent. */
  readonly batchKey: string | undefined;
  /** Whether the structure of its JSON was counted while it was unpacked. */
  readonly isCounted: boolean;
}

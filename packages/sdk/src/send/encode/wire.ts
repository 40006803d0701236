import type { CapturedValue } from '@throughline/contract/values';
import type { RecordedStep } from '../../record/recorded-step.ts';
import type { Dropped, Repeat, StepError, StepType, StepVariables } from '../../record/types.ts';
import type { JsonWriter } from '../../record/writer/json-writer.ts';

/** An object of captured values. */
export type CapturedRecord = { readonly [key: string]: CapturedValue };

export type WireHeaders = { readonly [name: string]: CapturedValue };

/** One element of `flow`. Times are ISO 8601 UTC with µs; durations are milliseconds. */
export interface WireStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly sequence: number;
  readonly stepName: string;
  readonly stepType: StepType;
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  /** Present if the step represents many calls. */
  readonly repeat?: Repeat | undefined;
  readonly functionName?: string | undefined;
  readonly filePath?: string | undefined;
  readonly lineNumber?: number | undefined;
  readonly inputs?: CapturedValue | undefined;
  readonly outputs?: CapturedValue | undefined;
  readonly variables?: StepVariables | undefined;
  readonly error?: StepError | undefined;
  readonly metadata?: CapturedRecord | undefined;
}

/** One element of `traces` in the body of `POST /api/ingest/traces`. */
export interface WireTrace {
  /** A UUIDv7. */
  readonly _id: string;
  /** W3C Trace Context: a trace id has 32 hex digits, a span id has 16. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly route?: string | undefined;
    readonly url?: string | undefined;
    readonly headers?: WireHeaders | undefined;
    readonly query?: CapturedValue | undefined;
    readonly body?: CapturedValue | undefined;
    readonly ip?: string | undefined;
    readonly userAgent?: string | undefined;
  };
  readonly response: {
    /** Absent if the client disconnected before a response was sent. */
    readonly statusCode?: number | undefined;
    readonly headers?: WireHeaders | undefined;
    readonly body?: CapturedValue | undefined;
  };
  readonly timing: { readonly startTime: string; readonly duration: number };
  readonly performance: {
    readonly memoryUsage: { readonly heapUsed: number };
    /** CPU time of the process, in percent of one core. */
    readonly cpuUsage: number;
    /** Milliseconds. */
    readonly eventLoopDelay: number;
  };
  readonly error: {
    readonly hasError: boolean;
    readonly errorMessage: string | null;
    readonly errorCode: string | null;
  };
  readonly user?: CapturedRecord | undefined;
  readonly sessionId?: string | undefined;
  readonly attributes?: CapturedRecord | undefined;
  readonly sources?: readonly WireSource[] | undefined;
  readonly flow: readonly WireStep[];
  readonly dropped: Dropped;
}

/** A file whose functions ran, with the source code of the functions that were not sent recently. */
export interface WireSource {
  readonly file: string;
  readonly version: string;
  readonly functions?: { readonly line: number; readonly text: string }[];
}

/** A trace without its steps. */
export type TraceHead = Omit<WireTrace, 'flow'>;

/** A trace before serialization. */
export interface FinishedTrace extends TraceHead {
  readonly flow: readonly RecordedStep[];
  /** Strings that were redacted while the steps were recorded. */
  readonly secrets: Set<string>;
  /** Contains the bytes of the values of `flow`. Must not be used after the trace was sent. */
  readonly writer: JsonWriter | null;
  /**
   * True if headers and bodies are left out to stay within the CPU budget. Secrets in them are nevertheless redacted in the values of
   * `flow`.
   */
  readonly leavesOutMessages?: boolean;
}

/** `service` in the request body: describes the sending service. */
export interface WireService {
  readonly name: string;
  readonly version?: string | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  readonly instance: string;
  readonly runtime: string;
}

import type { CapturedValue } from '@throughline/contract';

/** A sent step, with the members that tests read. */
export interface PostedStep {
  readonly stepId: string;
  readonly parentStepId: string | null;
  readonly stepName: string;
  readonly stepType: string;
  readonly startTime: string;
  readonly endTime: string;
  readonly duration: number;
  readonly functionName?: string;
  readonly filePath?: string;
  readonly lineNumber?: number;
  readonly inputs?: CapturedValue;
  readonly outputs?: CapturedValue;
  readonly variables?: {
    readonly capturedAt: string;
    readonly parameters: Readonly<Record<string, CapturedValue>>;
    readonly localVariables: Readonly<Record<string, CapturedValue>>;
    readonly returnValue?: CapturedValue;
    readonly thisContext?: CapturedValue;
  };
  readonly error?: {
    readonly message: string;
    readonly name?: string;
    readonly stack?: string;
    readonly code?: string;
  };
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface PostedTrace {
  readonly _id: string;
  readonly traceId: string;
  readonly parentSpanId?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly route?: string;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly query?: unknown;
    readonly body?: unknown;
  };
  readonly response: { readonly statusCode?: number; readonly body?: unknown };
  readonly timing: { readonly startTime: string; readonly duration: number };
  readonly error: {
    readonly hasError: boolean;
    readonly errorMessage: string | null;
    readonly errorCode: string | null;
  };
  readonly user?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly sources?: readonly {
    readonly file: string;
    readonly version: string;
    readonly functions?: readonly { readonly line: number; readonly text: string }[];
  }[];
  readonly flow: readonly PostedStep[];
  readonly dropped?: { readonly steps: number };
}

/** A body of `POST /api/ingest/traces`, with the members that tests read. */
export interface Posted {
  readonly sdk: { readonly name: string; readonly version: string };
  readonly service: Readonly<Record<string, unknown>>;
  readonly traces: readonly PostedTrace[];
  /** Number of lost traces that no earlier request has reported. */
  readonly lost?: { readonly traces: number };
}

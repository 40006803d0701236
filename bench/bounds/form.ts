/** The ways in that take data from outside. */
export const WAYS_IN = [
  'native JSON',
  'NDJSON',
  'OTLP JSON',
  'OTLP protobuf',
  'OTLP gRPC',
  'login',
  'API',
  'live streams',
  'connections',
] as const;
export type WayIn = (typeof WAYS_IN)[number];

/** The server's address, and the account that sends. Each form has its own, so that no quota and no rows are left to the next one. */
export interface Target {
  readonly url: string;
  readonly grpcPort: number;
  readonly apiKey: string;
  readonly token: string;
  readonly projectId: string;
  readonly email: string;
}

/** An answer as it is counted: a status, `grpc` and a status, or why there was none. */
export interface Outcome {
  readonly answer: string;
  /** The answer's text, cut after a few thousand characters. */
  readonly text: string;
}

/** Sends once; ends with no answer once the signal is given. */
export type Send = (target: Target, signal: AbortSignal) => Promise<Outcome>;

/** The most hostile thing of some kind that one valid sender can do. */
export interface HostileForm {
  readonly name: string;
  readonly way: WayIn;
  /** It takes everything that one sender may have by itself: it is not tried many times at once. */
  readonly onlyAlone?: boolean;
  /** Makes what is sent, before anything is measured. */
  prepare(): Promise<Send>;
}

/** Answers that tell the sender to come again. */
export function tellsToWait(answer: string): boolean {
  return ['503', '429', 'grpc 14', 'grpc 8'].includes(answer);
}

/** True for an answer that no sender's fault explains: an error inside the server, or no answer. */
export function isServerFault(answer: string): boolean {
  if (/^\d+$/.test(answer)) return Number(answer) >= 500 && answer !== '503';
  return !/^(closed as asked|streams$|grpc (0|3|8|14|16)$)/.test(answer);
}

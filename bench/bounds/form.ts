/** Paths on which the server accepts input from outside. */
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

/**
 * The server's address and the account that sends a hostile input. Each input has an account of its own, so that the used quota and the
 * rows of one input do not affect the next input.
 */
export interface Target {
  readonly url: string;
  readonly grpcPort: number;
  readonly apiKey: string;
  readonly token: string;
  readonly projectId: string;
  readonly email: string;
}

/** Result of a request. `answer` is an HTTP status, a gRPC status such as `grpc 8`, or the reason why there was no response. */
export interface Outcome {
  readonly answer: string;
  /** The response body, truncated after a few thousand characters. */
  readonly text: string;
}

/** Sends the hostile input once. If the signal aborts, the promise resolves without a response. */
export type Send = (target: Target, signal: AbortSignal) => Promise<Outcome>;

/** The most hostile input of its kind that one valid sender can send. */
export interface HostileForm {
  readonly name: string;
  readonly way: WayIn;
  /**
   * True if a single sender of the input already uses all resources that the server grants to one sender. Such an input is not sent many
   * times concurrently.
   */
  readonly onlyAlone?: boolean;
  /** Builds the input. Runs before the measurement begins. */
  prepare(): Promise<Send>;
}

/** True for responses that ask the sender to retry later. */
export function tellsToWait(answer: string): boolean {
  return ['503', '429', 'grpc 14', 'grpc 8'].includes(answer);
}

/**
 * True for a response that is the server's fault: an internal error or no response. Responses that ask the sender to retry later are not
 * the server's fault.
 */
export function isServerFault(answer: string): boolean {
  if (/^\d+$/.test(answer)) return Number(answer) >= 500 && answer !== '503';
  return !/^(closed as asked|streams$|grpc (0|3|8|14|16)$)/.test(answer);
}

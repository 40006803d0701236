import { answer, type Reply, storeAll } from '@throughline/testkit/collector';

/** A fault of a collector. */
export interface Fault {
  readonly name: string;
  /** The collector's response during the fault; undefined if nothing listens. */
  readonly reply: Reply | undefined;
  /** True if the collector stores the traces that it answers with 200. */
  readonly stores?: true;
  /** Maximum time in ms from the end of the fault until the SDK has recovered. */
  readonly recoversInMs: number;
}

/**
 * Time in ms in which the SDK recovers from a fault after which it backs off: longer than the maximum backoff (30 s), with time to send the
 * remaining traces.
 */
const backedOff = 60_000;
/** Time in ms in which the SDK recovers after all of its traces were rejected: longer than the 5 minutes after which the SDK retries. */
const probed = 6 * 60_000;
const soon = { 'retry-after': '1' };

export const faults: readonly Fault[] = [
  { name: 'down', reply: undefined, recoversInMs: backedOff },
  {
    name: 'slow',
    stores: true,
    reply: (response, received, nth) => void setTimeout(() => storeAll(response, received, nth), 3000),
    recoversInMs: backedOff,
  },
  {
    name: '429',
    reply: (response) => answer(response, 429, { error: { code: 'too_many_requests' } }, soon),
    recoversInMs: backedOff,
  },
  {
    name: '503',
    reply: (response) => answer(response, 503, { error: { code: 'overloaded' } }, soon),
    recoversInMs: backedOff,
  },
  {
    name: '401',
    reply: (response) => answer(response, 401, { error: { code: 'invalid_api_key' } }),
    recoversInMs: probed,
  },
  { name: 'resetting', reply: (response) => response.socket?.resetAndDestroy(), recoversInMs: backedOff },
  {
    name: 'answering garbage',
    reply: (response) => answer(response, 200, '<html>\u0000welcome</html>'),
    recoversInMs: probed,
  },
];

/** A trial without a fault. Any difference between its two hosts is an error of the measurement. */
export const noFault: Fault = { name: 'none', stores: true, reply: storeAll, recoversInMs: backedOff };

/** True if the SDK treats the fault as permanent, and retries only after minutes. */
export function isRefusal(fault: Fault): boolean {
  return fault.recoversInMs === probed;
}

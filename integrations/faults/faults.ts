import { answer, type Reply, storeAll } from '@throughline/testkit/collector';

/** A fault of a collector. */
export interface Fault {
  readonly name: string;
  /** How it answers meanwhile; undefined where nothing listens. */
  readonly reply: Reply | undefined;
  /** True if the collector stores the traces that it answers with 200. */
  readonly stores?: true;
  /** How long the SDK may take to try again once it is over. Milliseconds. */
  readonly recoversInMs: number;
}

/** Longer than the longest wait between two tries (30 s), with time to send what is left. */
const backedOff = 60_000;
/** Where everything was refused, it is tried again after 5 minutes. */
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

/** Nothing is wrong: what a trial of this finds is the trial's own error. */
export const noFault: Fault = { name: 'none', stores: true, reply: storeAll, recoversInMs: backedOff };

/** True if the SDK treats the fault as lasting, and tries again only after minutes. */
export function isRefusal(fault: Fault): boolean {
  return fault.recoversInMs === probed;
}

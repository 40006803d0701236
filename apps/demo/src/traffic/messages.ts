import { readFields } from '../input.ts';

/** Messages from the shop to the process that makes traffic. */
export type TrafficOrder =
  | { readonly type: 'keep-visiting'; readonly url: string }
  | { readonly type: 'burst'; readonly id: number; readonly url: string; readonly requests: number };

/** The result of a burst: the number of responses, or why the burst failed. */
export type TrafficReport =
  | { readonly type: 'burst-sent'; readonly id: number; readonly requests: number }
  | { readonly type: 'burst-failed'; readonly id: number; readonly reason: string };

export function isTrafficOrder(message: unknown): message is TrafficOrder {
  const { type, url, id, requests } = readFields(message);
  if (typeof url !== 'string') return false;
  return (
    type === 'keep-visiting' || (type === 'burst' && typeof id === 'number' && typeof requests === 'number')
  );
}

export function isTrafficReport(message: unknown): message is TrafficReport {
  const { type, id, requests, reason } = readFields(message);
  if (typeof id !== 'number') return false;
  return type === 'burst-sent'
    ? typeof requests === 'number'
    : type === 'burst-failed' && typeof reason === 'string';
}

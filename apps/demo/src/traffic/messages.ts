import { readField } from '../input.ts';

/** What the shop tells the process that makes traffic. */
export type TrafficOrder =
  | { readonly type: 'keep-visiting'; readonly url: string }
  | { readonly type: 'burst'; readonly id: number; readonly url: string; readonly requests: number };

/** What it answers to a burst: how many requests were answered, or why none could be sent. */
export type TrafficReport =
  | { readonly type: 'burst-sent'; readonly id: number; readonly requests: number }
  | { readonly type: 'burst-failed'; readonly id: number; readonly reason: string };

export function isTrafficOrder(message: unknown): message is TrafficOrder {
  if (typeof readField(message, 'url') !== 'string') return false;
  const type = readField(message, 'type');
  if (type === 'keep-visiting') return true;
  return (
    type === 'burst' &&
    typeof readField(message, 'id') === 'number' &&
    typeof readField(message, 'requests') === 'number'
  );
}

export function isTrafficReport(message: unknown): message is TrafficReport {
  if (typeof readField(message, 'id') !== 'number') return false;
  const type = readField(message, 'type');
  if (type === 'burst-sent') return typeof readField(message, 'requests') === 'number';
  return type === 'burst-failed' && typeof readField(message, 'reason') === 'string';
}

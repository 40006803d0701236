import { UNLIMITED } from '@throughline/contract';
import type { AccountId } from './store.ts';

/** What an account may send, and since when its months are counted. */
export interface Quota {
  readonly accountId: AccountId;
  /** Traces a month; -1 for unlimited. */
  readonly monthlyTraces: number;
  readonly periodAnchor: Date;
}

/** A short burst beyond the month's traces is let through, so that nobody loses the last minutes of a month for a peak. */
const BURST = 0.05;

/** Beyond so many nothing is accepted; undefined where there is no limit. */
export function hardLimit(monthlyTraces: number): number | undefined {
  return monthlyTraces === UNLIMITED ? undefined : Math.floor(monthlyTraces * (1 + BURST));
}

/** The shares of the month's traces, in percent, at which the owner is told. */
export const NOTICE_LEVELS = [80, 100] as const;
export type NoticeLevel = (typeof NOTICE_LEVELS)[number];

export function hasReached(level: NoticeLevel, traces: number, monthlyTraces: number): boolean {
  return monthlyTraces !== UNLIMITED && traces * 100 >= monthlyTraces * level;
}

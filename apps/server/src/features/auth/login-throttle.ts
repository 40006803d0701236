import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

const MINUTE_MS = 60_000;
/** So many attempts in a row are free at one address; each further one waits twice as long. */
const FREE_ATTEMPTS = 10;
const FIRST_DELAY_MS = MINUTE_MS;
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** From everywhere, an account takes ten attempts a minute: one more each six seconds. */
const ACCOUNT_STEP_MS = MINUTE_MS / 10;
/** Attempts are forgotten after this much quiet. */
const FORGET_MS = 60 * MINUTE_MS;
const MAX_KEYS = 100_000;

interface Attempts {
  count: number;
  lastMs: number;
}

/**
 * Slows the guessing of passwords. Attempts count for the account at one address, with a delay that grows, and for the account from
 * everywhere, at a steady rate that leaves room for its owner. Addresses from which the account was lately entered skip the second, so a
 * stranger's guessing from elsewhere does not keep the owner out.
 */
export interface LoginThrottle {
  /** Counts an attempt. Milliseconds to wait, or 0: go ahead. A refused attempt is not counted. */
  attempt(email: string, address: string): number;
  /** The attempt was right: nothing counts against the account at this address any more. */
  succeeded(email: string, address: string): void;
}

export function createLoginThrottle(clock: Clock): LoginThrottle {
  const pairs = new Map<string, Attempts>();
  /** When an account's attempts so far will have been worked off at its steady rate. */
  const accounts = new Map<string, number>();
  const entered = new Map<string, true>();
  return {
    attempt(email, address) {
      const nowMs = clock.now().getTime();
      const account = digest(email);
      const pair = `${account}|${address}`;
      const known = entered.has(pair);
      const waitMs = Math.max(
        computeDelay(pairs.get(pair), nowMs),
        known ? 0 : (accounts.get(account) ?? 0) - nowMs - (MINUTE_MS - ACCOUNT_STEP_MS),
      );
      if (waitMs > 0) return waitMs;
      count(pairs, pair, nowMs);
      if (!known) {
        keep(accounts, account, Math.max(nowMs, accounts.get(account) ?? 0) + ACCOUNT_STEP_MS);
      }
      return 0;
    },
    succeeded(email, address) {
      const account = digest(email);
      const pair = `${account}|${address}`;
      pairs.delete(pair);
      accounts.delete(account);
      keep(entered, pair, true);
    },
  };
}

/** Accounts are told apart without keeping what was typed. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

function computeDelay(attempts: Attempts | undefined, nowMs: number): number {
  if (attempts === undefined || attempts.count < FREE_ATTEMPTS) return 0;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts.count - FREE_ATTEMPTS), MAX_DELAY_MS);
  return attempts.lastMs + delayMs - nowMs;
}

function count(map: Map<string, Attempts>, key: string, nowMs: number): void {
  const before = map.get(key);
  const recent = before !== undefined && nowMs - before.lastMs < FORGET_MS;
  keep(map, key, { count: recent ? before.count + 1 : 1, lastMs: nowMs });
}

/** Remembers the latest; the one untouched for longest goes first when there are too many. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_KEYS) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

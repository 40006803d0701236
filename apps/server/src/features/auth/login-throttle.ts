import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';

const MINUTE_MS = 60_000;
/** This many attempts in a row are free at one address. Each further attempt must wait twice as long. */
const FREE_ATTEMPTS = 10;
const FIRST_DELAY_MS = MINUTE_MS;
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** From all addresses together, an account allows ten attempts a minute: one more every six seconds. */
const ACCOUNT_STEP_MS = MINUTE_MS / 10;
/** Attempts are forgotten after this long without a further attempt. */
const FORGET_MS = 60 * MINUTE_MS;
const MAX_KEYS = 100_000;

interface Attempts {
  count: number;
  lastMs: number;
}

/**
 * Slows down password guessing. Attempts are limited per account and address, with a growing delay, and per account from all addresses, at a
 * steady rate that still lets the owner log in. The second limit does not apply to addresses from which the account was recently logged in
 * to, so a stranger's guessing elsewhere does not lock out the owner.
 */
export interface LoginThrottle {
  /** Counts an attempt. Returns the milliseconds to wait, or 0 if the attempt is allowed. A refused attempt is not counted. */
  attempt(email: string, address: string): number;
  /** Called if the attempt succeeded. Clears the account's attempts from this address. */
  succeeded(email: string, address: string): void;
}

export function createLoginThrottle(clock: Clock): LoginThrottle {
  const pairs = new Map<string, Attempts>();
  /** By account, the time at which its attempts so far are used up at its steady rate. */
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

/** Hashes the address, so that what was typed is not stored. */
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

/** Sets a value as the most recent. If there are too many keys, removes the key that has been unused for longest. */
function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= MAX_KEYS) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}

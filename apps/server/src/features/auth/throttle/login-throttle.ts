import { createHash } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';

const MINUTE_MS = 60_000;
/**
 * Number of failed attempts in a row without a delay, per account and IP address. Each further attempt must wait twice as long as the one
 * before, at most `MAX_DELAY_MS`.
 */
const FREE_ATTEMPTS = 10;
const FIRST_DELAY_MS = MINUTE_MS;
const MAX_DELAY_MS = 15 * MINUTE_MS;
/** The limit per account allows ten attempts a minute from all addresses together, so one more attempt every six seconds. */
const ACCOUNT_STEP_MS = MINUTE_MS / 10;
/** Attempts are forgotten after this long without a further attempt. */
export const FORGET_MS = 60 * MINUTE_MS;
const MAX_KEYS = 100_000;

/** An entry of the throttle: a number of attempts, and a time in epoch milliseconds. */
export interface Attempts {
  readonly count: number;
  readonly atMs: number;
}

/** Stores attempts by key. */
export interface AttemptStore {
  /**
   * Reads the keys' entries, and stores the changes that `decide` returns; null deletes an entry. Changes to entries of one account run one
   * after the other, even if several servers make them.
   */
  change<Result>(
    account: string,
    keys: readonly string[],
    decide: (found: ReadonlyMap<string, Attempts>) => {
      readonly result: Result;
      readonly changes: ReadonlyMap<string, Attempts | null>;
    },
  ): Promise<Result>;
}

/**
 * Slows down password guessing by two limits. The first is per account and address, with a growing delay. The second is per account from
 * all addresses, at a steady rate. Addresses from which somebody recently logged in to the account are exempt from the second limit, so
 * that guesses from elsewhere do not lock out the owner.
 */
export interface LoginThrottle {
  /** Counts an attempt. Returns the milliseconds to wait, or 0 if the attempt is allowed. A refused attempt is not counted. */
  attempt(email: string, address: string): Promise<number>;
  /**
   * Must be called if the attempt succeeded. Deletes the count of the account's attempts from this address, and resets the limit of the
   * account's attempts from all addresses.
   */
  succeeded(email: string, address: string): Promise<void>;
}

/** `secret` separates guesses of passwords from guesses of codes. */
export function createLoginThrottle(
  clock: Clock,
  store: AttemptStore,
  secret: 'password' | 'code',
): LoginThrottle {
  const buildKeys = (email: string, address: string) => {
    const account = digest(`${secret} ${email}`);
    return {
      account,
      /** Key of an entry with the number of attempts at the account from this address, and the time of the last attempt. */
      pair: `pair:${account}|${address}`,
      /**
       * Key of a time that limits attempts from addresses without a recent login. Each allowed attempt moves the time `ACCOUNT_STEP_MS`
       * ahead. Attempts must wait while the time is more than 54 seconds ahead of the clock.
       */
      steady: `steady:${account}`,
      /** Key of the time of the last login from the address. */
      entered: `${ENTERED}${account}|${address}`,
    };
  };
  return {
    attempt(email, address) {
      const nowMs = clock.now().getTime();
      const { account, pair, steady, entered } = buildKeys(email, address);
      return store.change(account, [pair, steady, entered], (found) => {
        const isKnown = found.has(entered);
        const usedUpMs = found.get(steady)?.atMs ?? 0;
        const waitMs = Math.max(
          computeDelay(found.get(pair), nowMs),
          isKnown ? 0 : usedUpMs - nowMs - (MINUTE_MS - ACCOUNT_STEP_MS),
        );
        if (waitMs > 0) return { result: waitMs, changes: new Map() };
        const changes = new Map([[pair, count(found.get(pair), nowMs)]]);
        if (!isKnown) changes.set(steady, { count: 0, atMs: Math.max(nowMs, usedUpMs) + ACCOUNT_STEP_MS });
        return { result: 0, changes };
      });
    },
    async succeeded(email, address) {
      const { account, pair, steady, entered } = buildKeys(email, address);
      const atMs = clock.now().getTime();
      await store.change(account, [], () => ({
        result: undefined,
        changes: new Map([
          [pair, null],
          [steady, null],
          [entered, { count: 1, atMs }],
        ]),
      }));
    },
  };
}

/** Prefix of the keys of successful logins. The control store keeps these entries for longer than the other entries. */
export const ENTERED = 'entered:';

/** Stores attempts in this process. If there are too many keys, forgets the key that has been unused for longest. */
export function createAttemptMemory(): AttemptStore {
  const entries = new Map<string, Attempts>();
  return {
    async change(_account, keys, decide) {
      const { result, changes } = decide(
        new Map(
          keys.flatMap((key) => {
            const entry = entries.get(key);
            return entry === undefined ? [] : [[key, entry] as const];
          }),
        ),
      );
      for (const [key, entry] of changes) {
        entries.delete(key);
        if (entry !== null) entries.set(key, entry);
      }
      for (const oldest of entries.keys()) {
        if (entries.size <= MAX_KEYS) break;
        entries.delete(oldest);
      }
      return result;
    },
  };
}

/** Hashes the email address, so that the text that was typed is not stored. */
function digest(email: string): string {
  return createHash('sha256').update(email).digest('base64url');
}

function computeDelay(attempts: Attempts | undefined, nowMs: number): number {
  if (attempts === undefined || attempts.count < FREE_ATTEMPTS) return 0;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts.count - FREE_ATTEMPTS), MAX_DELAY_MS);
  return attempts.atMs + delayMs - nowMs;
}

function count(before: Attempts | undefined, nowMs: number): Attempts {
  const recent = before !== undefined && nowMs - before.atMs < FORGET_MS;
  return { count: recent ? before.count + 1 : 1, atMs: nowMs };
}

import { setTimeout as wait } from 'node:timers/promises';
import { createRandom, pick, pickBetween, type Random } from '../random.ts';
import { CUSTOMERS, chooseCountry } from './customers.ts';
import { ShopClient } from './shop-client.ts';
import { generateVisits, type Visit } from './visits.ts';

export const USER_AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
];

/**
 * Pauses between requests, in milliseconds. An entry applies up to request number `requests`: the first to requests 1 to 60, the second to
 * 61 to 600. The first pauses are short, so that traces appear soon after the start.
 */
const PACES = [
  { requests: 60, low: 60, high: 140 },
  { requests: 600, low: 500, high: 1100 },
  { requests: Number.POSITIVE_INFINITY, low: 5000, high: 11_000 },
] as const;
const PAUSE_AFTER_FAILURE_MS = 2000;

interface Visitor {
  readonly visit: Visit;
  readonly userAgent: string;
  readonly country: string;
}

/**
 * Yields the visitors endlessly. They are the customers of the recorded history, so that the history and the live requests have the same
 * users and countries.
 */
export function* generateVisitors(random: Random): Generator<Visitor, void> {
  for (const visit of generateVisits(random, CUSTOMERS['1.5.0'])) {
    yield { visit, userAgent: pick(random, USER_AGENTS), country: chooseCountry(visit.customer, random) };
  }
}

/** Simulates visitors, one after the other, until `signal` aborts. If the shop does not respond, tries again later. */
export async function keepVisiting(baseUrl: string, seed: number, signal: AbortSignal): Promise<void> {
  const random = createRandom(seed);
  let sent = 0;
  const pace = async (): Promise<void> => {
    sent += 1;
    const { low, high } = PACES.find(({ requests }) => sent <= requests) ?? PACES[2];
    await wait(pickBetween(random, low, high), undefined, { signal });
  };
  for (const { visit, ...visitor } of generateVisitors(random)) {
    if (signal.aborted) return;
    try {
      await visit.run(new ShopClient({ baseUrl, ...visitor, pace, signal }));
    } catch {
      await wait(PAUSE_AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

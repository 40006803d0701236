import { MAX_LIVE_FEEDS } from '@throughline/contract';
import { AppError } from '../../../platform/http/errors.ts';
import type { OrganizationId, SessionId, UserId } from '../../../platform/ids.ts';

const RETRY_SECONDS = 30;

/** A live feed that is open or is being opened. */
export interface OpenFeed {
  readonly sessionId: SessionId;
  /** Id of the organization, or of a user without one. */
  readonly accountId: OrganizationId | UserId;
  end(): void;
}

export interface FeedLimits {
  /**
   * Counts a feed until `release` is called for the feed.
   * @throws AppError `too_many_feeds`, `overloaded`
   */
  admit(feed: OpenFeed): void;
  release(feed: OpenFeed): void;
  count(): number;
}

type MaxFeeds = { readonly [Holder in keyof typeof MAX_LIVE_FEEDS]: number };

/** Limits live feeds per session, per account and for the whole server. */
export function createFeedLimits(max: MaxFeeds = MAX_LIVE_FEEDS): FeedLimits {
  const open = new Set<OpenFeed>();
  const countIf = (isCounted: (feed: OpenFeed) => boolean) => [...open].filter(isCounted).length;
  return {
    admit(feed) {
      const ofSession = countIf(({ sessionId }) => sessionId === feed.sessionId);
      if (ofSession >= max.session) throw buildLimitError('session', max.session);
      const ofAccount = countIf(({ accountId }) => accountId === feed.accountId);
      if (ofAccount >= max.account) throw buildLimitError('account', max.account);
      if (open.size >= max.server) makeRoom(open, feed, max.server);
      open.add(feed);
    },
    release: (feed) => void open.delete(feed),
    count: () => open.size,
  };
}

function buildLimitError(holder: 'session' | 'account', limit: number): AppError {
  return new AppError(
    'too_many_feeds',
    `This ${holder} has ${limit} live feeds open, which is the maximum. Close one, then try again.`,
    { details: { limit, used: limit }, retryAfterSeconds: RETRY_SECONDS },
  );
}

/**
 * Ends the newest feed of the account with the most feeds, so that a few accounts cannot block all others.
 * @throws AppError `overloaded` if no account has more feeds than the new feed's account would have
 */
function makeRoom(open: Set<OpenFeed>, feed: OpenFeed, limit: number): void {
  const byAccount = Map.groupBy(open, ({ accountId }) => accountId);
  const own = byAccount.get(feed.accountId)?.length ?? 0;
  const [largest = []] = [...byAccount.values()].sort((one, other) => other.length - one.length);
  const newest = largest.at(-1);
  if (newest === undefined || largest.length <= own + 1) {
    throw new AppError(
      'overloaded',
      `This server has ${limit} live feeds open, which is the maximum. Try again later.`,
      { details: { limit, used: limit }, retryAfterSeconds: RETRY_SECONDS },
    );
  }
  open.delete(newest);
  newest.end();
}

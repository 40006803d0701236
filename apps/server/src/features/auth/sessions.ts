import type { Clock } from '../../platform/clock.ts';
import type { ControlStore } from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import type { SessionId, UserId } from '../../platform/ids.ts';
import { hashToken, newToken } from '../../platform/secrets.ts';
import { deleteSession, findSession, insertSession, touchSession, type UserRow } from './store.ts';

const MINUTE_MS = 60_000;
export const IDLE_LIMIT_MS = 7 * 24 * 60 * MINUTE_MS;
export const ABSOLUTE_LIMIT_MS = 30 * 24 * 60 * MINUTE_MS;
/** "Last seen" is written no more often than this. */
const SEEN_STEP_MS = 5 * MINUTE_MS;

/** A running session: who, and since when. */
interface OpenSession {
  readonly caller: Caller;
  readonly user: UserRow;
}

export interface Sessions {
  /** The bearer token, which is stored nowhere. */
  start(userId: UserId): Promise<string>;
  /** @throws AppError `unauthenticated`: unknown, ended, or run out. */
  open(token: string | undefined): Promise<OpenSession>;
  end(id: SessionId): Promise<void>;
}

/** Sessions are opaque random tokens: they run out after a week unused and after a month at the latest. */
export function createSessions(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly onEnded: (id: SessionId) => Promise<void>;
}): Sessions {
  const { db } = deps.control;
  return {
    async start(userId) {
      const token = newToken();
      await insertSession(db, { userId, tokenHash: hashToken(token), now: deps.clock.now() });
      return token;
    },
    async open(token) {
      const row = token === undefined ? undefined : await findSession(db, hashToken(token));
      const now = deps.clock.now();
      if (row === undefined || hasRunOut(row, now)) throw new AppError('unauthenticated');
      if (now.getTime() - row.lastSeenAt.getTime() > SEEN_STEP_MS) await touchSession(db, row.id, now);
      return {
        user: row.user,
        caller: {
          userId: row.user.id,
          sessionId: row.id,
          userType: row.organizationId === null ? 'solo' : 'organization_member',
          organization:
            row.organizationId === null || row.role === null
              ? null
              : { id: row.organizationId, role: row.role },
        },
      };
    },
    async end(id) {
      await deleteSession(db, id);
      await deps.onEnded(id);
    },
  };
}

function hasRunOut(session: { readonly createdAt: Date; readonly lastSeenAt: Date }, now: Date): boolean {
  const idleMs = now.getTime() - session.lastSeenAt.getTime();
  const ageMs = now.getTime() - session.createdAt.getTime();
  return idleMs > IDLE_LIMIT_MS || ageMs > ABSOLUTE_LIMIT_MS;
}

/** The token of `Authorization: Bearer …`. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

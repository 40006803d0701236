import { isAccessToken, type SessionInfo } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { findCountry } from '../../platform/countries.ts';
import { AppError } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { readId, type SessionId, type UserId } from '../../platform/ids.ts';
import { createToken, hashToken } from '../../platform/start/secrets.ts';
import type { Origin } from './devices.ts';
import {
  deleteSession,
  deleteUserSession,
  deleteUserSessions,
  findSession,
  findUserSessions,
  insertSession,
  touchSession,
  type UserRow,
} from './store.ts';

const MINUTE_MS = 60_000;
export const IDLE_LIMIT_MS = 7 * 24 * 60 * MINUTE_MS;
export const ABSOLUTE_LIMIT_MS = 30 * 24 * 60 * MINUTE_MS;
/** Minimum time between two updates of a session's "last seen" time. */
const SEEN_STEP_MS = 5 * MINUTE_MS;

/** An active session and its user. */
interface OpenSession {
  readonly caller: Caller;
  readonly user: UserRow;
}

export interface Sessions {
  /** Starts a session. Returns the session's bearer token, of which only the hash is stored. */
  start(userId: UserId, origin: Origin): Promise<string>;
  /** @throws AppError `unauthenticated` if the session is unknown, ended or expired; `session_required` for an access token */
  open(token: string | undefined, address: string): Promise<OpenSession>;
  end(id: SessionId): Promise<void>;
  /** Lists a user's sessions that have not expired, most recently used first. */
  list(caller: Caller): Promise<SessionInfo[]>;
  /** Ends one of the user's own sessions. @throws AppError `not_found` */
  endOwn(userId: UserId, id: string): Promise<void>;
  /** Ends all of a user's sessions except the session `keep`. */
  endAllOf(userId: UserId, keep?: SessionId): Promise<void>;
  /** Like {@link endAllOf}, but within a transaction. Returns a function that notifies all servers, to be called after the commit. */
  endAllIn(tx: ControlDb, userId: UserId, keep?: SessionId): Promise<() => Promise<void>>;
  /** Closes the open connections of a user's sessions, but does not end the sessions. */
  interruptAllOf(userId: UserId): Promise<void>;
}

/** Sessions are opaque random tokens. They expire after a week without use, and at the latest after a month. */
export function createSessions(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly onEnded: (id: SessionId) => Promise<void>;
}): Sessions {
  const { clock } = deps;
  const { db } = deps.control;
  const endAllIn: Sessions['endAllIn'] = async (tx, userId, keep) => {
    const ended = await deleteUserSessions(tx, userId, keep);
    return async () => {
      await Promise.all(ended.map(deps.onEnded));
    };
  };
  return {
    endAllIn,
    async start(userId, origin) {
      const token = createToken();
      await insertSession(db, { userId, tokenHash: hashToken(token), now: clock.now(), ...origin });
      return token;
    },
    async open(token, address) {
      if (token !== undefined && isAccessToken(token)) throw new AppError('session_required');
      const row = token === undefined ? undefined : await findSession(db, hashToken(token));
      const now = clock.now();
      if (row === undefined || hasRunOut(row, now)) throw new AppError('unauthenticated');
      if (now.getTime() - row.lastSeenAt.getTime() > SEEN_STEP_MS) {
        await touchSession(db, row.id, { now, address });
      }
      return {
        user: row.user,
        caller: {
          userId: row.user.id,
          email: row.user.email,
          sessionId: row.id,
          authenticatedAt: row.authenticatedAt,
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
    async list({ userId, sessionId }) {
      const now = clock.now();
      return (await findUserSessions(db, userId))
        .filter((row) => !hasRunOut(row, now))
        .map((row) => ({
          id: row.id,
          device: row.device,
          address: row.address,
          country: row.address === null ? null : (findCountry(row.address) ?? null),
          createdAt: row.createdAt.toISOString(),
          lastSeenAt: row.lastSeenAt.toISOString(),
          current: row.id === sessionId,
        }));
    },
    async endOwn(userId, given) {
      const id = readId<SessionId>(given);
      if (id === undefined || !(await deleteUserSession(db, userId, id))) throw new AppError('not_found');
      await deps.onEnded(id);
    },
    async endAllOf(userId, keep) {
      const tell = await endAllIn(db, userId, keep);
      await tell();
    },
    async interruptAllOf(userId) {
      await Promise.all((await findUserSessions(db, userId)).map((row) => deps.onEnded(row.id)));
    },
  };
}

function hasRunOut(session: { readonly createdAt: Date; readonly lastSeenAt: Date }, now: Date): boolean {
  const idleMs = now.getTime() - session.lastSeenAt.getTime();
  const ageMs = now.getTime() - session.createdAt.getTime();
  return idleMs > IDLE_LIMIT_MS || ageMs > ABSOLUTE_LIMIT_MS;
}

/** Returns the token of `Authorization: Bearer …`. */
export function readBearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
}

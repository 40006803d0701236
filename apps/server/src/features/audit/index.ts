import {
  AUDIT_ACTIONS,
  AUDIT_DAYS,
  type AuditAction,
  type AuditEntry,
  type AuditSort,
  routes,
} from '@throughline/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { ControlDb, ControlStore } from '../../platform/control-store/index.ts';
import { refuseField } from '../../platform/http/errors.ts';
import type { Caller } from '../../platform/http/guard.ts';
import { getOrganization, type HttpContext, serve } from '../../platform/http/serve.ts';
import { type OrganizationId, readId, type UserId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import { startPeriodicJob } from '../../platform/queues/periodic-job.ts';
import { deleteEntriesBefore, findActor, findEntries, findLastEntry, insertEntry } from './store.ts';

const DAY_MS = 86_400_000;
const SWEEP_MS = DAY_MS / 4;

/** A user who performs an action, and the user's network address. */
export interface Actor {
  readonly userId: UserId;
  readonly address: string;
}

/** The operator as the actor of an audit entry. The operator acts on the command line, without a user account. */
export interface Operator {
  readonly userId: null;
  readonly address: string;
}

export function buildActor(caller: Caller, request: FastifyRequest): Actor {
  return { userId: caller.userId, address: request.ip };
}

export interface Audit {
  /** Records an action. If `db` is a transaction, the entry is stored only if the transaction commits. */
  record(
    db: ControlDb,
    entry: {
      readonly organizationId: OrganizationId;
      readonly action: AuditAction;
      /** Null if the product itself performed the action. */
      readonly actor: Actor | Operator | null;
      /** The target's name or address at the time of the action: a later change of the name does not change the entry. */
      readonly target?: string;
    },
  ): Promise<void>;
  register(http: HttpContext): void;
  close(): Promise<void>;
}

export function createAudit(deps: {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly log: Logger;
}): Audit {
  const { clock, log } = deps;
  const { db } = deps.control;
  const firstShown = () => new Date(clock.now().getTime() - AUDIT_DAYS * DAY_MS);

  const readCursor = async (
    organizationId: OrganizationId,
    { cursor, sort }: { readonly cursor?: string | undefined; readonly sort: AuditSort },
  ) => {
    if (cursor === undefined) return undefined;
    const id = readId(cursor);
    // The id contains the time. A log that is sorted by time therefore does not need the entry of the cursor, which can have expired
    // meanwhile.
    if (id !== undefined && sort === 'time') return { id, value: id };
    const last = id === undefined ? undefined : await findLastEntry(db, organizationId, id, sort);
    if (last === undefined) throw refuseField('cursor', 'must be the nextCursor of an answer');
    return last;
  };

  const sweep = startPeriodicJob({
    everyMs: SWEEP_MS,
    work: () => deleteEntriesBefore(db, firstShown()),
    log,
    failure: 'old audit entries could not be removed',
  });
  return {
    async record(tx, { organizationId, action, actor, target }) {
      await insertEntry(tx, {
        organizationId,
        at: clock.now(),
        action,
        actor: actor === null || actor.userId === null ? undefined : await findActor(tx, actor.userId),
        target,
        address: actor?.address,
      });
    },
    register(http) {
      serve(http, routes.audit.list, async ({ scope, query }) => {
        const organizationId = getOrganization(scope);
        const last = await readCursor(organizationId, query);
        const rows = await findEntries(db, organizationId, {
          since: firstShown(),
          last,
          listing: query,
          limit: query.limit + 1,
        });
        const page = rows.slice(0, query.limit);
        return {
          entries: page.map(describe),
          nextCursor: rows.length > query.limit ? (page.at(-1)?.id ?? null) : null,
        };
      });
    },
    close: sweep.close,
  };
}

type Row = Awaited<ReturnType<typeof findEntries>>[number];

function describe(row: Row): AuditEntry {
  const { id, at, action, actorName, actorEmail, target, address } = row;
  if (!isAction(action)) throw new Error(`the audit log holds the unknown action ${action}`);
  const actor = actorName === null || actorEmail === null ? null : { name: actorName, email: actorEmail };
  return { id, at: at.toISOString(), action, actor, target, address };
}

function isAction(text: string): text is AuditAction {
  return Object.hasOwn(AUDIT_ACTIONS, text);
}

import type { AuditAction, BodyOf, routes } from '@throughline/contract';
import type { Clock } from '../../platform/clock.ts';
import {
  type ControlDb,
  type ControlStore,
  lockMember,
  lockOwner,
  type OwnerRow,
} from '../../platform/control-store/index.ts';
import { AppError } from '../../platform/http/errors.ts';
import { type ProjectId, readId, type UserId } from '../../platform/ids.ts';
import type { Actor, Audit } from '../audit/index.ts';
import { type DecisionChange, findDecisions, putDecision, type StoredDecision } from './decisions-store.ts';
import type { ErrorRow } from './errors-store.ts';
import { findErrorGrouping } from './grouping/grouping-store.ts';
import { noteDecided } from './splits/splits-store.ts';

export interface DecideDeps {
  readonly control: ControlStore;
  readonly clock: Clock;
  readonly audit: Audit;
}

export interface ErrorOfProject {
  readonly actor: Actor;
  readonly projectId: ProjectId;
  readonly row: ErrorRow;
}

type Body = BodyOf<typeof routes.errors.update>;

/** A changed part of a decision, and its entry in the audit log. */
interface Change {
  readonly set: DecisionChange;
  readonly action: AuditAction;
  readonly detail?: string;
}

/**
 * Changes an error's state, note and assignee, as far as `body` contains them. Audit entries are added in this order.
 * @throws AppError `not_found`
 */
export async function decideError(
  { control, clock, audit }: DecideDeps,
  { actor, projectId, row }: ErrorOfProject,
  body: Body,
): Promise<void> {
  await control.db.transaction(async (tx) => {
    const owner = await lockOwner(tx, projectId);
    if (owner === undefined) throw new AppError('not_found');
    // The error may have been merged after it was found.
    const errorId = (await findErrorGrouping(tx, projectId)).resolve(row.error_id);
    const before = (await findDecisions(tx, projectId, errorId)).get(errorId);
    const now = clock.now();
    const changes = [
      changeState(body, before, { changedBy: actor.userId, changedAt: now, lastRelease: row.last_release }),
      changeNote(body, before),
      await changeAssignee(tx, owner, body, before),
    ].filter((change) => change !== undefined);
    if (changes.length === 0) return;
    const set: DecisionChange = Object.assign({}, ...changes.map((change) => change.set));
    await putDecision(tx, { projectId, errorId }, set, now);
    if (row.message_id !== errorId) await noteDecided(tx, projectId, row.message_id, [errorId]);
    for (const { action, detail } of changes) {
      await recordDecision(audit, tx, owner, { actor, action, errorId, service: row.service_name, detail });
    }
  });
}

/** Records a decision in the audit log. The entry names the error by id, because the error's message can contain captured data. */
export async function recordDecision(
  audit: Audit,
  tx: ControlDb,
  { organizationId, name }: OwnerRow,
  given: {
    readonly actor: Actor;
    readonly action: AuditAction;
    readonly errorId: string;
    readonly service?: string;
    readonly detail: string | undefined;
  },
): Promise<void> {
  // Solo users have no audit log, because nobody else can decide about their errors.
  if (organizationId === null) return;
  const { actor, action, errorId, service = '', detail = '' } = given;
  const target = [name, service, `error ${errorId}`, detail].filter((part) => part !== '');
  await audit.record(tx, { organizationId, action, actor, target: target.join(', ') });
}

const ACTIONS = {
  open: 'project.error_reopened',
  resolved: 'project.error_resolved',
  ignored: 'project.error_ignored',
} as const;

function changeState(
  { state, inNextRelease }: Body,
  before: StoredDecision | undefined,
  by: { readonly changedBy: UserId; readonly changedAt: Date; readonly lastRelease: string },
): Change | undefined {
  if (state === undefined) return undefined;
  // Resolving a resolved error is a change, too, because the error can have occurred again since.
  if (state !== 'resolved' && state === (before?.state ?? 'open')) return undefined;
  const { lastRelease, ...set } = by;
  const afterRelease = state === 'resolved' && inNextRelease === true ? lastRelease : null;
  return {
    set: { ...set, state, afterRelease },
    action: ACTIONS[state],
    ...(afterRelease !== null && { detail: `in the release after ${afterRelease}` }),
  };
}

function changeNote({ note }: Body, before: StoredDecision | undefined): Change | undefined {
  if (note === undefined || note === (before?.note ?? '')) return undefined;
  return { set: { note }, action: 'project.error_noted' };
}

/** @throws AppError `not_found` if the person does not see the project */
async function changeAssignee(
  tx: ControlDb,
  owner: OwnerRow,
  { assignee: given }: Body,
  before: StoredDecision | undefined,
): Promise<Change | undefined> {
  if (given === undefined) return undefined;
  const assignee = given === null ? null : readId<UserId>(given);
  if (assignee === undefined) throw new AppError('not_found');
  if (assignee === (before?.assigneeId ?? null)) return undefined;
  if (assignee === null) return { set: { assignee }, action: 'project.error_unassigned' };
  if (owner.organizationId === null) {
    if (assignee !== owner.userId) throw new AppError('not_found');
    return { set: { assignee }, action: 'project.error_assigned' };
  }
  const member = await lockMember(tx, owner.organizationId, assignee);
  if (member === undefined) throw new AppError('not_found');
  return { set: { assignee }, action: 'project.error_assigned', detail: `to ${member.email}` };
}

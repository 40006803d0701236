import { MAX_ERROR_MERGES, MAX_MERGED_ERRORS } from '@throughline/contract';
import { type ControlDb, lockOwner, type OwnerRow } from '../../../platform/control-store/index.ts';
import { AppError, refuseField } from '../../../platform/http/errors.ts';
import type { ProjectId } from '../../../platform/ids.ts';
import type { Actor } from '../../audit/index.ts';
import { type DecideDeps, recordDecision } from '../decide-error.ts';
import type { ErrorGrouping } from '../grouping/error-grouping.ts';
import { findErrorGrouping } from '../grouping/grouping-store.ts';
import type { KnownError } from '../read-errors.ts';
import { noteDecided } from '../splits/splits-store.ts';
import { deleteMerge, putMerges } from './merges-store.ts';

/** Maximum number of merged errors whose ids an entry in the audit log lists. */
const NAMED = 3;

interface Merging {
  readonly actor: Actor;
  readonly projectId: ProjectId;
  readonly errorId: string;
}

/**
 * Merges errors, including the errors that were merged into them before, into a target. Returns the target's id.
 * @throws AppError `not_found`, `validation_failed`
 */
export async function mergeErrors(
  { control, clock, audit }: DecideDeps,
  { actor, projectId, errorId }: Merging,
  errorIds: readonly string[],
  known: readonly KnownError[],
): Promise<string> {
  return control.db.transaction(async (tx) => {
    const owner = await lock(tx, projectId);
    const errors = await findErrorGrouping(tx, projectId);
    const target = errors.resolve(errorId);
    const moved = chooseMoved(errors, target, errorIds);
    if (moved.length === 0) return target;
    for (const { errorId: id, messageId } of known) {
      if (id !== messageId) await noteDecided(tx, projectId, messageId, [id]);
    }
    await putMerges(tx, projectId, target, moved, clock.now());
    const more = moved.length - NAMED;
    const detail = `with ${moved.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const action = 'project.errors_merged';
    await recordDecision(audit, tx, owner, { actor, action, errorId: target, detail });
    return target;
  });
}

/**
 * Lists the errors whose target changes: the given errors, and the errors that were merged into them. No target is itself merged into
 * another error, so merges cannot form a cycle.
 */
function chooseMoved(errors: ErrorGrouping, target: string, errorIds: readonly string[]): string[] {
  if (errorIds.includes(target)) throw refuseField('errorIds', 'An error cannot be merged with itself.');
  const others = new Set(errorIds.map(errors.resolve).filter((id) => id !== target));
  const moved = [...others].flatMap((id) => [id, ...errors.listMerged(id)]);
  if (1 + errors.listMerged(target).length + moved.length > MAX_MERGED_ERRORS) {
    throw refuseField('errorIds', `At most ${MAX_MERGED_ERRORS} errors can be merged into one.`);
  }
  if (errors.merged.length + others.size > MAX_ERROR_MERGES) {
    throw refuseField(
      'errorIds',
      `At most ${MAX_ERROR_MERGES} errors of a project can be merged. Split some off first.`,
    );
  }
  return moved;
}

/** Splits off one of the errors that were merged into another. @throws AppError `not_found` */
export async function splitError(
  { control, audit }: DecideDeps,
  { actor, projectId, errorId }: Merging,
  mergedId: string,
): Promise<void> {
  await control.db.transaction(async (tx) => {
    const owner = await lock(tx, projectId);
    const target = (await findErrorGrouping(tx, projectId)).resolve(errorId);
    if (!(await deleteMerge(tx, projectId, target, mergedId))) throw new AppError('not_found');
    const action = 'project.error_split_off';
    await recordDecision(audit, tx, owner, { actor, action, errorId: mergedId, detail: `from ${target}` });
  });
}

/** @throws AppError `not_found` */
async function lock(tx: ControlDb, projectId: ProjectId): Promise<OwnerRow> {
  const owner = await lockOwner(tx, projectId);
  if (owner === undefined) throw new AppError('not_found');
  return owner;
}

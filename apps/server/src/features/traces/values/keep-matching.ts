import type { ValueCondition } from '@throughline/contract';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findOwners, type SpanRequest } from '../../spans/index.ts';
import { runInSlices } from '../detail/in-slices.ts';
import { hasValue } from './has-value.ts';
import {
  buildTraceKey,
  type Candidate,
  countTraceSpans,
  findSpans,
  hasName,
  readCandidates,
  SPANS_AT_ONCE,
  type SpanRow,
  type ValueTests,
} from './value-search-store.ts';

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;

/**
 * The check that is left to this process after the SQL statement. With `condition`, the whole path of a member is compared, of which the
 * statement compared only the last name. With `tests`, it is only checked which request a matching span belongs to.
 */
export type Check = { readonly condition: Member } | { readonly tests: Pick<ValueTests, 'step' | 'params'> };

type Store = Pick<TraceStore, 'rowsBeside'>;

/** True if the spans of the candidate's distributed trace must be read. */
function needsSpans({ has_spans, in_bodies }: Candidate, check: Check): boolean {
  return has_spans && ('condition' in check || !in_bodies);
}

/** Candidates that are checked together. */
export interface Batch {
  readonly candidates: readonly Candidate[];
  /** False if nothing has to be read for the check. */
  readonly reads: boolean;
}

/**
 * Divides candidates into batches. For each batch, at most `SPANS_AT_ONCE.ids` spans must be read, or the spans of a single trace that has
 * more.
 */
export async function divide(
  store: Store,
  candidates: readonly Candidate[],
  check: Check,
): Promise<readonly Batch[]> {
  const sizes = await countTraceSpans(
    store,
    candidates.filter((candidate) => needsSpans(candidate, check)),
  );
  const batches: Candidate[][] = [];
  let traces = new Set<string>();
  let spans = 0;
  for (const candidate of candidates) {
    const trace = buildTraceKey(candidate);
    const isRead = needsSpans(candidate, check) && !traces.has(trace);
    const size = isRead ? (sizes.get(trace) ?? 0) : 0;
    const batch = batches.at(-1);
    if (batch === undefined || (size > 0 && spans + size > SPANS_AT_ONCE.ids)) {
      batches.push([candidate]);
      [traces, spans] = [new Set(isRead ? [trace] : []), size];
    } else {
      batch.push(candidate);
      if (isRead) traces.add(trace);
      spans += size;
    }
  }
  return batches.map((some) => ({
    candidates: some,
    reads: 'condition' in check || some.some((candidate) => needsSpans(candidate, check)),
  }));
}

/** Keeps the candidates that have the value themselves, not only in another request of the same distributed trace. */
export async function keepMatching(
  store: Store,
  candidates: readonly Candidate[],
  check: Check,
): Promise<readonly Candidate[]> {
  const spanned = candidates.filter((candidate) => needsSpans(candidate, check));
  const kept =
    'condition' in check
      ? await checkValues(store, candidates, check.condition)
      : new Set(candidates.filter((candidate) => !needsSpans(candidate, check)));
  const matching: Span[] = [];
  const tests = 'condition' in check ? hasName(check.condition.path.at(-1) ?? '') : check.tests;
  for await (const page of findSpans(store, spanned, tests, { values: 'condition' in check })) {
    await runInSlices(page, (span) => {
      // A span can be checked without the other spans, because spans never refer to values of other spans.
      if (!('condition' in check) || hasValue([span], undefined, check.condition))
        // Keeps only ids, since the values of earlier pages of spans are no longer needed.
        matching.push({ project_id: span.project_id, owner: span.owner, step_id: span.step_id });
    });
  }
  const owners = await findOwningRequests(store, matching);
  return candidates.filter((candidate) => kept.has(candidate) || owners.has(writeRequest(candidate)));
}

/** Returns the candidates that have the searched value at the whole path of the condition, in a step or a body. */
async function checkValues(store: Store, candidates: readonly Candidate[], condition: Member) {
  const { steps, bodies } = await readCandidates(store, candidates, condition.path.at(-1) ?? '');
  const stepsOf = Map.groupBy(steps, ({ owner }) => owner);
  const bodyOf = new Map(bodies.map((body) => [body.id, body]));
  const kept = new Set<Candidate>();
  await runInSlices(candidates, (candidate) => {
    const { id } = candidate;
    if (hasValue(stepsOf.get(id) ?? [], bodyOf.get(id), condition)) kept.add(candidate);
  });
  return kept;
}

type Span = Pick<SpanRow, 'project_id' | 'owner' | 'step_id'>;

/** Finds the requests to which spans belong, each in the format of {@link writeRequest}. */
async function findOwningRequests(store: Store, spans: readonly Span[]): Promise<ReadonlySet<string>> {
  // This search is background work, and inserts must not wait for it.
  const beside: Pick<TraceStore, 'rowsForWriter'> = {
    rowsForWriter: (row, sql, params) => store.rowsBeside(row, sql, params),
  };
  const found = new Set<string>();
  for (const [project, some] of Map.groupBy(spans, ({ project_id }) => project_id)) {
    const projectId = readId<ProjectId>(project);
    if (projectId === undefined) continue;
    const keys = some.map(({ owner, step_id }) => ({ traceId: owner, spanId: step_id }));
    for (const request of await findOwners(beside, projectId, keys)) found.add(writeOwner(request));
  }
  return found;
}

function writeOwner({ projectId, traceId, spanId }: SpanRequest): string {
  return `${projectId} ${traceId} ${spanId}`;
}

function writeRequest({ project_id, trace_id, span_id }: Candidate): string {
  return `${project_id} ${trace_id} ${span_id}`;
}

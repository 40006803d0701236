import type { ValueCondition } from '@throughline/contract';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findOwners, type SpanRequest } from '../../spans/index.ts';
import { hasReference, hasValue } from './has-value.ts';
import {
  buildTraceKey,
  type Candidate,
  countTraceSpans,
  findSpans,
  readBodies,
  readSteps,
  SPANS_AT_ONCE,
  type SpanRow,
  type StepRow,
  type ValueTests,
} from './value-search-store.ts';

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;

/**
 * The check that is left to this process after the SQL statement. With `condition`, compares the whole path of a member, because the
 * statement did not check the order of the path's names. Without `condition`, only finds the requests to which the matching spans belong.
 */
export interface Check {
  readonly tests: Pick<ValueTests, 'step' | 'path' | 'params'>;
  readonly condition: Member | undefined;
  /** Ids of candidates that are known to match; see {@link findCertain}. */
  readonly certain: ReadonlySet<string>;
}

type Store = Pick<TraceStore, 'rowsBeside'>;

/** Returns the ids of the candidates whose sample has the whole path. No other values of such a candidate have to be read. */
export async function findCertain(
  candidates: readonly Candidate[],
  condition: Member,
): Promise<ReadonlySet<string>> {
  const certain = new Set<string>();
  const sampled = candidates.filter(({ sample }) => sample.captured !== '');
  await runInSlices(sampled, ({ id, sample }) => {
    if (hasValue([{ ...sample, owner: id }], undefined, condition)) certain.add(id);
  });
  return certain;
}

/** True if the spans of the candidate's distributed trace must be read. */
function needsSpans({ id, has_spans, in_bodies }: Candidate, check: Check): boolean {
  return has_spans && !check.certain.has(id) && (check.condition !== undefined || !in_bodies);
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
    reads: some.some(
      (candidate) =>
        (check.condition !== undefined && !check.certain.has(candidate.id)) || needsSpans(candidate, check),
    ),
  }));
}

/**
 * Returns the candidates that have the value. Leaves out candidates if only another request of the same distributed trace has the value.
 */
export async function keepMatching(
  store: Store,
  candidates: readonly Candidate[],
  check: Check,
): Promise<readonly Candidate[]> {
  const { tests, condition, certain } = check;
  const spanned = candidates.filter((candidate) => needsSpans(candidate, check));
  const kept =
    condition === undefined
      ? new Set(candidates.filter((candidate) => !needsSpans(candidate, check)).map(({ id }) => id))
      : await checkValues(store, candidates, { tests, condition, certain });
  const matching: Span[] = [];
  for await (const page of findSpans(store, spanned, tests, { values: condition !== undefined })) {
    await runInSlices(page, (span) => {
      // A span can be checked without the other spans, because spans never refer to values of other spans.
      if (condition === undefined || hasValue([span], undefined, condition))
        // Stores only ids, because the values of earlier pages of spans are no longer needed.
        matching.push({ project_id: span.project_id, owner: span.owner, step_id: span.step_id });
    });
  }
  const owners = await findOwningRequests(store, matching);
  return candidates.filter((candidate) => kept.has(candidate.id) || owners.has(writeRequest(candidate)));
}

/** Maximum number of candidates whose bodies are read at a time. */
const BODIES_AT_ONCE = 100;

/**
 * Compares the whole path of a member in the bodies and steps of the candidates. Returns the ids of the candidates that have the member.
 */
async function checkValues(
  store: Store,
  candidates: readonly Candidate[],
  { tests, condition, certain }: Check & { readonly condition: Member },
): Promise<ReadonlySet<string>> {
  const kept = new Set(certain);
  const inBodies = candidates.filter(({ id, in_bodies }) => in_bodies && !kept.has(id));
  for (let at = 0; at < inBodies.length; at += BODIES_AT_ONCE) {
    await runInSlices(await readBodies(store, inBodies.slice(at, at + BODIES_AT_ONCE)), (body) => {
      if (hasValue([], body, condition)) kept.add(body.id);
    });
  }
  const referring = new Set<string>();
  const others = () => candidates.filter(({ id }) => !kept.has(id));
  for await (const page of readSteps(store, others(), tests, 'holding')) {
    await runInSlices(page, (step) => {
      if (kept.has(step.owner)) return;
      if (hasValue([step], undefined, condition)) kept.add(step.owner);
      else if (hasReference(step.captured)) referring.add(step.owner);
    });
  }
  // Only these traces need several steps at once: a path that begins in one step continues in another.
  const undecided = others().filter(({ id }) => referring.has(id));
  for await (const traces of joinTraces(readSteps(store, undecided, tests, 'referred'))) {
    await runInSlices(traces, (steps) => {
      const [first] = steps;
      if (first !== undefined && hasValue(steps, undefined, condition)) kept.add(first.owner);
    });
  }
  return kept;
}

/** Groups pages of steps by trace. A trace whose steps are in several pages is yielded once, with all its steps. */
async function* joinTraces(
  pages: AsyncIterable<readonly StepRow[]>,
): AsyncGenerator<readonly (readonly StepRow[])[]> {
  let last: readonly StepRow[] = [];
  for await (const page of pages) {
    const traces = [...Map.groupBy([...last, ...page], ({ owner }) => owner).values()];
    last = traces.pop() ?? [];
    yield traces;
  }
  yield [last];
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

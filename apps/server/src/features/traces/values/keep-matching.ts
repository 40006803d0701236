import type { ValueCondition } from '@throughline/contract';
import { type ProjectId, readId } from '../../../platform/ids.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findOwners, type SpanRequest } from '../../spans/index.ts';
import { forEachInSlices } from '../detail/in-slices.ts';
import { hasValue } from './has-value.ts';
import {
  type Candidate,
  findSpans,
  readCandidates,
  type SpanRow,
  type ValueTests,
} from './value-search-store.ts';

type Member = Extract<ValueCondition, { readonly kind: 'member' }>;

/** What remains to be checked: the whole path of a member, or only which request a span belongs to. */
export type Check = { readonly condition: Member } | { readonly tests: Pick<ValueTests, 'step' | 'params'> };

/** Keeps the candidates that have the value themselves, not only in another request of the same distributed trace. */
export async function keepMatching(
  store: TraceStore,
  candidates: readonly Candidate[],
  check: Check,
): Promise<readonly Candidate[]> {
  const { kept, spans } =
    'condition' in check
      ? await checkValues(store, candidates, check.condition)
      : {
          kept: new Set(candidates.filter(({ has_spans, in_bodies }) => !has_spans || in_bodies)),
          spans: await findSpans(
            store,
            candidates.filter(({ in_bodies }) => !in_bodies),
            check.tests,
            { values: false },
          ),
        };
  const owners = await findRequestsOf(store, spans);
  return candidates.filter((candidate) => kept.has(candidate) || owners.has(writeRequest(candidate)));
}

/** Compares the whole path of a member in the values of the candidates. */
async function checkValues(store: TraceStore, candidates: readonly Candidate[], condition: Member) {
  const { steps, spans, bodies } = await readCandidates(store, candidates, condition.path.at(-1) ?? '');
  const stepsOf = Map.groupBy(steps, ({ owner }) => owner);
  const bodyOf = new Map(bodies.map((body) => [body.id, body]));
  const kept = new Set<Candidate>();
  await forEachInSlices(candidates, (candidate) => {
    const { id } = candidate;
    if (hasValue(stepsOf.get(id) ?? [], bodyOf.get(id), condition)) kept.add(candidate);
  });
  const matching: SpanRow[] = [];
  await forEachInSlices(spans, (span) => {
    // Spans do not refer to values of other spans.
    if (hasValue([span], undefined, condition)) matching.push(span);
  });
  return { kept, spans: matching };
}

/** Finds the requests to which spans belong, each in the format of {@link writeRequest}. */
async function findRequestsOf(store: TraceStore, spans: readonly SpanRow[]): Promise<ReadonlySet<string>> {
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

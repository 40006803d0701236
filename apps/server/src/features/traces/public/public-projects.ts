import type {
  AnswerOf,
  FoundSteps,
  RelatedTrace,
  routes,
  Step,
  Trace,
  TraceListQuery,
  TracePart,
} from '@throughline/contract';
import { refuseField } from '../../../platform/http/errors.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import { readId } from '../../../platform/ids.ts';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import { boundResults, type TraceStore } from '../../../platform/trace-store/index.ts';
import { MAX_SMALL_BYTES, type ReadingPlaces, readUnlessTooLarge } from '../detail/reading-places.ts';
import type { SearchTrace, StepSearch } from '../detail/search-steps.ts';
import { type FindTrace, findTrace, findTraceHead, findTracePart } from '../detail/single-trace-store.ts';
import { findWholeTrace, stepOfTrace, stepPagesOfTrace } from '../detail/steps.ts';
import { writeCursor } from '../list/cursor.ts';
import { readListQuery } from '../list/list-query.ts';
import { findPage, findRelated } from '../store.ts';
import { findDistribution } from '../usual/usual.ts';
import { findEndpoint } from '../usual/usual-store.ts';
import { KNOWN_METHODS, maskPart, maskRow, maskStep, maskTrace } from './masked.ts';

/** Reads public projects for public viewers. Methods return undefined if the id belongs to no public project. */
export interface PublicReading {
  list(query: TraceListQuery): Promise<AnswerOf<typeof routes.traces.list> | undefined>;
  trace(id: string, options: { readonly values: boolean }): Promise<Trace | undefined>;
  part(id: string, part: TracePart): Promise<AnswerOf<typeof routes.traces.part> | undefined>;
  usual(id: string): Promise<AnswerOf<typeof routes.traces.usual> | undefined>;
  /** Finds the requests of a distributed trace that belong to public projects. */
  related(traceId: string): Promise<RelatedTrace[] | undefined>;
  step(id: string, stepId: string): Promise<Step | undefined>;
  /** Finds the steps that contain the words, in the fields that public viewers can see. */
  findSteps(id: string, search: StepSearch, isGone: () => boolean): Promise<FoundSteps | undefined>;
}

/**
 * Filters that public viewers can use, because they can see these fields. The matches and counts of any other filter would reveal hidden
 * values.
 */
const SHOWN_FILTERS: ReadonlySet<string> = new Set<keyof TraceListQuery>([
  'projectId',
  'status',
  'statusCode',
  'statusClass',
  'method',
  'route',
  'service',
  'services',
  'minDuration',
  'maxDuration',
  'stepType',
  'stepStatus',
  'minSteps',
  'maxSteps',
  'requests',
  'startDate',
  'endDate',
  'timeZone',
  'sort',
  'limit',
  'cursor',
]);

export function createPublicReading(
  store: TraceStore,
  shownToAnyone: (id?: string) => Promise<ShownProject[]>,
  large: ReadingPlaces,
  searchTrace: SearchTrace,
): PublicReading {
  const small = boundResults(store, MAX_SMALL_BYTES);
  const publicTrace = async <Found>(
    find: FindTrace<Found>,
    id: string,
    from: TraceStore = store,
  ): Promise<Found | undefined> => {
    const known = readId(id);
    return known === undefined ? undefined : find(from, await shownToAnyone(), known);
  };
  /** Runs a large read after waiting in the queue for large reads. */
  const inLine = async <Answer>(read: () => Promise<Answer>): Promise<Answer> => {
    const leave = await large.enter(PUBLIC_VIEWERS);
    try {
      return await read();
    } finally {
      leave();
    }
  };
  const largeTrace = async (id: string, options: { readonly values: boolean }) => {
    const trace = await publicTrace((...asked) => findTrace(...asked, 'heads'), id);
    if (trace === undefined) return undefined;
    const shown: Step[] = [];
    for await (const page of (await stepPagesOfTrace(store, trace, options)).pages)
      shown.push(...(await maskSteps(page)));
    return maskTrace(trace, shown);
  };
  return {
    async list(query) {
      // Public viewers must name a project, because there is no list of all public projects.
      if (query.projectId === undefined || query.projectId === '') return undefined;
      const projects = await shownToAnyone(query.projectId);
      if (projects.length === 0) return undefined;
      refuseHidden(query);
      const page = await findPage(store, projects, readListQuery(query));
      return {
        traces: page.rows.map(maskRow),
        total: page.total,
        nextCursor: page.next === undefined ? null : writeCursor(page.next),
      };
    },
    async trace(id, options) {
      const reading = publicTrace(
        (...asked) => findWholeTrace(...asked, { ...options, parts: 'heads' }),
        id,
        small,
      );
      const whole = await readUnlessTooLarge(reading.then((found) => ({ found })));
      if (whole === undefined) return inLine(() => largeTrace(id, options));
      const { found } = whole;
      return found && maskTrace(found.trace, await maskSteps(found.steps));
    },
    async part(id, part) {
      const head = await publicTrace((...asked) => findTracePart(...asked, part, 'heads'), id);
      return head === undefined ? undefined : maskPart(part, head);
    },
    async usual(id) {
      const known = readId(id);
      if (known === undefined) return undefined;
      const projects = await shownToAnyone();
      const endpoint = await findEndpoint(store, projects, known);
      if (endpoint === undefined) return undefined;
      // Without a route, the endpoint is the path, and the number of its requests would reveal which traces have the same path.
      return { usual: endpoint.has_route ? await findDistribution(store, projects, endpoint) : null };
    },
    async related(traceId) {
      const traces = await findRelated(store, await shownToAnyone(), traceId.toLowerCase());
      if (traces.length === 0) return undefined;
      return traces.map((row) => ({ ...maskRow(row), spanId: row.spanId, parentSpanId: row.parentSpanId }));
    },
    async step(id, stepId) {
      const trace = await publicTrace(findTraceHead, id);
      if (trace === undefined) return undefined;
      const read = async (from: TraceStore) => {
        const step = await stepOfTrace(from, trace, stepId);
        return { shown: step === undefined ? undefined : maskStep(step) };
      };
      const { shown } = (await readUnlessTooLarge(read(small))) ?? (await inLine(() => read(store)));
      return shown;
    },
    async findSteps(id, search, isGone) {
      const trace = await publicTrace(findTraceHead, id);
      return trace && searchTrace(trace, search, { owner: PUBLIC_VIEWERS, readStep: maskStep, isGone });
    },
  };
}

/** All public viewers together count as one reader of large traces. */
const PUBLIC_VIEWERS = 'public viewers';

async function maskSteps(steps: readonly string[]): Promise<Step[]> {
  const shown: Step[] = [];
  await runInSlices(steps, (step) => shown.push(maskStep(step)));
  return shown;
}

/** @throws AppError `validation_failed` if the query uses a filter that public viewers cannot use */
function refuseHidden(query: TraceListQuery): void {
  for (const [given, value] of Object.entries(query)) {
    if (SHOWN_FILTERS.has(given) || value === undefined || value === '') continue;
    throw refuseField(
      given,
      `Only members of the project can filter by ${given}: public viewers do not see it`,
    );
  }
  if (query.method !== undefined && query.method !== '' && !KNOWN_METHODS.has(query.method.toUpperCase())) {
    throw refuseField('method', `method must be one of ${[...KNOWN_METHODS].join(', ')} for public viewers`);
  }
}

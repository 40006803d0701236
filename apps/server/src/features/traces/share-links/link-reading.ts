import type { AnswerOf, routes, SharedValues, Step, TracePart } from '@throughline/contract';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../platform/http/errors.ts';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { handled } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ReadingPlaces } from '../detail/reading-places.ts';
import type { SearchTrace, StepSearch } from '../detail/search-steps.ts';
import { createTraceSender, type ReadTarget, readAsked } from '../detail/send-trace.ts';
import { findTraceHead } from '../detail/single-trace-store.ts';
import { createPublicReading } from '../public/public-projects.ts';

export interface SharedTrace {
  readonly project: ShownProject;
  readonly traceId: string;
  readonly values: SharedValues;
}

type Calls = typeof routes.shared;
type Answer<Name extends keyof Calls> = Promise<AnswerOf<Calls[Name]> | typeof handled>;

/** Handles requests made with a share link. @throws AppError `not_found` if the trace was deleted or has expired */
export interface SharedReading {
  assertThere(shared: SharedTrace): Promise<void>;
  trace(
    shared: SharedTrace,
    query: { readonly values: 'true' | 'false'; readonly parts?: 'all' | 'small' | undefined },
    reply: FastifyReply,
  ): Answer<'read'>;
  part(shared: SharedTrace, part: TracePart, reply: FastifyReply): Answer<'part'>;
  step(shared: SharedTrace, stepId: string, reply: FastifyReply): Answer<'step'>;
  findSteps(shared: SharedTrace, search: StepSearch, reply: FastifyReply): Answer<'findSteps'>;
}

/** All share links together count as one reader of large traces. */
const BEARERS = 'bearers of links';

export function createSharedReading(
  store: TraceStore,
  large: ReadingPlaces,
  searchTrace: SearchTrace,
): SharedReading {
  const sender = createTraceSender(store, large);
  /** Builds the functions that read the shared trace, masked like a trace of a public project. They find no trace of any other project. */
  const readMasked = ({ project }: SharedTrace) =>
    createPublicReading(store, async () => [project], large, searchTrace);
  const buildTarget = ({ project, traceId }: SharedTrace, reply: FastifyReply): ReadTarget => ({
    read: async (find, from = store) => requireFound(await find(from, [project], traceId)),
    owner: BEARERS,
    reply,
  });
  return {
    async assertThere({ project, traceId }) {
      requireFound(await findTraceHead(store, [project], traceId));
    },
    async trace(shared, query, reply) {
      if (shared.values === 'shown') return sender.trace(buildTarget(shared, reply), readAsked(query));
      const values = query.values === 'true';
      return { trace: requireFound(await readMasked(shared).trace(shared.traceId, { values })) };
    },
    async part(shared, part, reply) {
      if (shared.values === 'shown') return sender.part(buildTarget(shared, reply), part);
      return requireFound(await readMasked(shared).part(shared.traceId, part));
    },
    async step(shared, stepId, reply) {
      if (shared.values === 'shown') return sender.step(buildTarget(shared, reply), stepId);
      return { step: requireFound(await readMasked(shared).step(shared.traceId, stepId)) };
    },
    async findSteps(shared, search, reply) {
      const isGone = () => reply.raw.destroyed;
      if (shared.values === 'masked')
        return requireFound(await readMasked(shared).findSteps(shared.traceId, search, isGone));
      const trace = await buildTarget(shared, reply).read(findTraceHead);
      return searchTrace(trace, search, { owner: BEARERS, readStep, isGone });
    },
  };
}

function requireFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new AppError('not_found');
  return found;
}

/** Parses a stored step without validation: the step was validated on arrival. */
function readStep(json: string): Step {
  return JSON.parse(json);
}

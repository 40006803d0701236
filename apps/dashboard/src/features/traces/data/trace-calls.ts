import { useQueryClient } from '@tanstack/react-query';
import {
  type AnswerOf,
  type EndpointDurations,
  type QueryOf,
  routes,
  type Step,
  type TracePart,
} from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useSession } from '../../../shell/session/use-session.ts';

declare module '@tanstack/react-query' {
  interface Register {
    /** `sharedToken` is the token of the shared link that opened the page. All queries of such a page have this token. */
    queryMeta: { readonly sharedToken?: string };
  }
}

/** The API requests that load a trace for its page. */
export interface TraceCalls {
  read(id: string, query: QueryOf<typeof routes.traces.read>, signal: AbortSignal): Promise<Response>;
  /** Fetches the whole trace as a file to save. */
  raw(id: string, signal: AbortSignal): Promise<Response>;
  /** Fetches the durations of other requests to the endpoint. Rejects if the viewer is not allowed to see these durations. */
  usual(id: string, signal: AbortSignal): Promise<EndpointDurations | null>;
  part(id: string, part: TracePart, signal: AbortSignal): Promise<AnswerOf<typeof routes.traces.part>>;
  step(id: string, stepId: string, signal: AbortSignal): Promise<Step>;
  findSteps(
    id: string,
    query: QueryOf<typeof routes.traces.findSteps>,
    signal: AbortSignal,
  ): Promise<AnswerOf<typeof routes.traces.findSteps>>;
}

/**
 * Returns the API requests that load a trace. On the page of a shared link, they are authorized by the link's token; on all other pages, by
 * the session. `meta` belongs to the TanStack query that loads the trace.
 */
export function getTraceCalls(meta: { readonly sharedToken?: string } | undefined): TraceCalls {
  return meta?.sharedToken === undefined ? MEMBER_CALLS : createSharedCalls(meta.sharedToken);
}

const MEMBER_CALLS: TraceCalls = {
  read: (id, query, signal) => api.open(routes.traces.read, { params: { id }, query, signal }),
  raw: (id, signal) => api.open(routes.traces.raw, { params: { id }, signal }),
  usual: async (id, signal) => (await api.call(routes.traces.usual, { params: { id }, signal })).usual,
  part: (id, part, signal) => api.call(routes.traces.part, { params: { id, part }, signal }),
  step: async (id, stepId, signal) =>
    (await api.call(routes.traces.step, { params: { id, stepId }, signal })).step,
  findSteps: (id, query, signal) => api.call(routes.traces.findSteps, { params: { id }, query, signal }),
};

function createSharedCalls(token: string): TraceCalls {
  const { shared } = routes;
  return {
    read: (_id, query, signal) => api.open(shared.read, { params: { token }, query, signal }),
    raw: (_id, signal) => api.open(shared.read, { params: { token }, signal }),
    // A shared link gives access to one trace, not to data about other requests.
    usual: async () => null,
    part: (_id, part, signal) => api.call(shared.part, { params: { token, part }, signal }),
    step: async (_id, stepId, signal) =>
      (await api.call(shared.step, { params: { token, stepId }, signal })).step,
    findSteps: (_id, query, signal) => api.call(shared.findSteps, { params: { token }, query, signal }),
  };
}

/** Returns the token of the shared link that opened this page; undefined on all other pages. */
export function useSharedToken(): string | undefined {
  return useQueryClient().getDefaultOptions().queries?.meta?.sharedToken;
}

/** True if the viewer is signed in and this is not the page of a shared link: such a page looks the same for every viewer. */
export function useHasSession(): boolean {
  const isSignedIn = useSession().status === 'signed-in';
  return useSharedToken() === undefined && isSignedIn;
}

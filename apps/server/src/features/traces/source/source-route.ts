import { routes } from '@throughline/contract';
import type { Scope } from '../../../platform/http/guard.ts';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { type FindTrace, findSourceVersions } from '../detail/single-trace-store.ts';
import { findSourceFunctions } from './source-store.ts';

export interface SourceDeps {
  readonly store: TraceStore;
  /** Finds a trace that the caller may read, or throws. */
  readonly traceIn: <Found>(find: FindTrace<Found>, scope: Scope, id: string) => Promise<Found>;
}

/** Registers the call for the source text of a trace's functions. Visitors of public projects see none. */
export function registerSource(http: HttpContext, { store, traceIn }: SourceDeps): void {
  serve(http, routes.traces.source, async ({ params, query, scope }) => {
    const trace = await traceIn(findSourceVersions, scope, params.id);
    const version = readVersion(trace.sources, query.file);
    if (version === undefined) return { functions: [] };
    return {
      functions: await findSourceFunctions(store, { projectId: trace.project_id, file: query.file, version }),
    };
  });
}

/** Returns the version of a file in the text of the column `sources`. */
function readVersion(sources: string, file: string): string | undefined {
  if (sources === '') return undefined;
  const versions: unknown = JSON.parse(sources);
  if (typeof versions !== 'object' || versions === null || !Object.hasOwn(versions, file)) return undefined;
  const version: unknown = Reflect.get(versions, file);
  return typeof version === 'string' ? version : undefined;
}

import { routes } from '@throughline/contract';
import { z } from 'zod';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import { findSourceVersions } from '../detail/single-trace-store.ts';
import type { TraceIn } from '../detail/trace-in.ts';
import { findSourceFiles } from './source-store.ts';

export interface SourceDeps {
  readonly store: TraceStore;
  readonly traceIn: TraceIn;
}

/** Registers the route for the source code of a trace's functions. Public viewers see no source code. */
export function registerSource(http: HttpContext, { store, traceIn }: SourceDeps): void {
  serve(http, routes.traces.source, async ({ params, query, scope }) => {
    const trace = await traceIn(findSourceVersions, scope, params.id);
    return {
      files: await findSourceFiles(store, trace.project_id, readVersions(trace.sources, query.file)),
    };
  });
}

const Versions = z.record(z.string(), z.string());

/** Parses the column `sources` and returns the versions of one file, or of all files. */
function readVersions(sources: string, file: string | undefined): ReadonlyMap<string, string> {
  if (sources === '') return new Map();
  const versions = Object.entries(Versions.parse(JSON.parse(sources)));
  return new Map(versions.filter(([path]) => file === undefined || path === file));
}

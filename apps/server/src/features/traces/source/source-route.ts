import { routes } from '@throughline/contract';
import { type HttpContext, serve } from '../../../platform/http/serve.ts';
import { findTraceSources, type SourceDeps } from './find-trace-sources.ts';

/** Registers the route for the source code of a trace's functions. Public viewers see no source code. */
export function registerSource(http: HttpContext, deps: SourceDeps): void {
  serve(http, routes.traces.source, async ({ params, query, scope }) => {
    const files = query.file === undefined ? undefined : new Set([query.file]);
    return { files: await findTraceSources(deps, { scope, traceId: params.id, files }) };
  });
}

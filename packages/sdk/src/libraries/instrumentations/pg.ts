import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { parameterTypes, returnedRows } from '../../otel/attribute-names.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';
import { typesOf } from './types-of.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new PgInstrumentation({
    enabled: false,
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook(span, { query }) {
      const types = typesOf(query.values);
      if (types !== undefined) span.setAttribute(parameterTypes, types);
    },
    responseHook(span, { data }) {
      if (typeof data?.rowCount === 'number') span.setAttribute(returnedRows, data.rowCount);
    },
  });
  return patchWith(instrumentation, tools);
}

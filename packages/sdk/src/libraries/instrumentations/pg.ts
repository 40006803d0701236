import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { readProperty } from '../../internal/foreign.ts';
import { parameterTypes, returnedRows } from '../../otel/spans/attribute-names.ts';
import { listTypes } from './list-types.ts';
import { keepContext, type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new PgInstrumentation({
    enabled: false,
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook(span, { query }) {
      const types = listTypes(query.values);
      if (types !== undefined) span.setAttribute(parameterTypes, types);
    },
    responseHook(span, { data }) {
      if (typeof data?.rowCount === 'number') span.setAttribute(returnedRows, data.rowCount);
    },
  });
  const patch = patchWith(instrumentation, tools);
  return (name, exports, folder) => {
    const patched = patch(name, exports, folder);
    if (name === 'pg-pool') keepContext(readProperty(patched, 'prototype'), 'connect', tools);
    return patched;
  };
}

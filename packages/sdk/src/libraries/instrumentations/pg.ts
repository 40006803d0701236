import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { readOwnValue, readProperty } from '../../internal/foreign.ts';
import { returnedRows } from '../../otel/spans/attribute-names.ts';
import { keepContext, type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new PgInstrumentation({
    enabled: false,
    requireParentSpan: true,
    ignoreConnectSpans: true,
    requestHook(span, { query }) {
      tools.noteBoundValues(span, query.text, query.values);
    },
    responseHook(span, { data }) {
      if (typeof data?.rowCount === 'number') span.setAttribute(returnedRows, data.rowCount);
      tools.noteRows(span, readOwnValue(data, 'rows'));
    },
  });
  const patch = patchWith(instrumentation, tools);
  return (name, exports, folder) => {
    const patched = patch(name, exports, folder);
    if (name === 'pg-pool') keepContext(readProperty(patched, 'prototype'), 'connect', tools);
    return patched;
  };
}

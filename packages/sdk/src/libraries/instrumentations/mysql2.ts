import { MySQL2Instrumentation } from '@opentelemetry/instrumentation-mysql2';
import { readProperty } from '../../internal/foreign.ts';
import { returnedRows } from '../../otel/spans/attribute-names.ts';
import { keepContext, type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new MySQL2Instrumentation({
    enabled: false,
    // Keeps the SQL as the host wrote it, with its placeholders. Literals in the SQL are masked later, when the step is described.
    maskStatement: true,
    maskStatementHook: (statement) => statement,
    responseHook(span, { queryResults }) {
      const results: unknown = queryResults;
      if (Array.isArray(results)) span.setAttribute(returnedRows, results.length);
      else if (typeof results === 'object' && results !== null && 'affectedRows' in results) {
        const { affectedRows } = results;
        if (typeof affectedRows === 'number') span.setAttribute(returnedRows, affectedRows);
      }
    },
  });
  const patch = patchWith(instrumentation, tools);
  return (name, exports, folder) => {
    if (!name.endsWith('/pool.js')) return patch(name, exports, folder);
    keepContext(readProperty(exports, 'prototype'), 'getConnection', tools);
    return exports;
  };
}

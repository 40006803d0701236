import { KnexInstrumentation } from '@opentelemetry/instrumentation-knex';
import { isMethod, readProperty, replaceOnce } from '../../internal/foreign.ts';
import { type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  const instrumentation = new KnexInstrumentation({
    enabled: false,
    requireParentSpan: true,
    maxQueryLength: 8000,
  });
  const patch = patchWith(instrumentation, tools);
  const keepContext: unknown = Reflect.get(instrumentation, 'storeContext');
  return (name, exports, folder) => {
    if (!name.startsWith('knex/lib/dialects/')) return patch(name, exports, folder);
    // Most dialects have query builders of their own, which the instrumentation does not patch. Without this patch, it would be unknown
    // which function made the queries of these dialects.
    const client = readProperty(exports, 'prototype');
    for (const method of ['queryBuilder', 'schemaBuilder', 'raw']) {
      if (typeof client !== 'object' || client === null || !Object.hasOwn(client, method)) continue;
      replaceOnce(client, method, (original) => {
        const keeping: unknown = isMethod(keepContext)
          ? keepContext.call(instrumentation, original)
          : original;
        return isMethod(keeping) ? keeping : original;
      });
    }
    return exports;
  };
}

import { KnexInstrumentation } from '@opentelemetry/instrumentation-knex';
import { type Patch, patchWith, type Tools } from './tools.ts';

export function create(tools: Tools): Patch {
  return patchWith(
    new KnexInstrumentation({ enabled: false, requireParentSpan: true, maxQueryLength: 8000 }),
    tools,
  );
}

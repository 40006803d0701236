import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { type Patch, patchWith, type Tools } from './tools.ts';

/** Traces commands with their field names; question marks replace the values. */
export function create(tools: Tools): Patch {
  return patchWith(new MongoDBInstrumentation({ enabled: false, requireParentSpan: true }), tools);
}

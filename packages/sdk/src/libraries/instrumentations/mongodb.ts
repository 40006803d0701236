import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import { type Patch, patchWith, type Tools } from './tools.ts';

/** Commands are shown with their field names; the values in them are question marks. */
export function create(tools: Tools): Patch {
  return patchWith(new MongoDBInstrumentation({ enabled: false, requireParentSpan: true }), tools);
}

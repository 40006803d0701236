import { IORedisInstrumentation } from '@opentelemetry/instrumentation-ioredis';
import { type Patch, patchWith, type Tools } from './tools.ts';

/** Commands are shown with their keys; values that they write are not. */
export function create(tools: Tools): Patch {
  return patchWith(new IORedisInstrumentation({ enabled: false, requireParentSpan: true }), tools);
}

import { RedisInstrumentation } from '@opentelemetry/instrumentation-redis';
import { type Patch, patchWith, type Tools, type UsedInstrumentation } from './tools.ts';

/** Traces commands with their keys, but without the values that the commands write. */
export function create(tools: Tools): Patch {
  const instrumentation = new RedisInstrumentation({ enabled: false, requireParentSpan: true });
  // The package contains two instrumentations: one for versions of the library up to 3, one for version 4 and later.
  const patches = ['instrumentationV2_V3', 'instrumentationV4_V5'].map((name) => {
    const inner: unknown = Reflect.get(instrumentation, name);
    if (!isDriven(inner)) throw new Error(`the instrumentation has no ${name}`);
    return patchWith(inner, tools);
  });
  return (name, exports, folder) => patches.reduce((patched, patch) => patch(name, patched, folder), exports);
}

function isDriven(value: unknown): value is UsedInstrumentation {
  return typeof value === 'object' && value !== null && 'getModuleDefinitions' in value;
}

import { createRequire } from 'node:module';
import { readProperty } from '../internal/foreign.ts';
import { reportDetail, reportFault } from '../internal/report.ts';
import { patchWinston } from '../logs/patch-loggers.ts';
import { stepContextManager } from '../otel/context.ts';
import { traceContextPropagator } from '../otel/propagator.ts';
import { hasHostSdk, hookRegisteredSdk, registerWithApi } from '../otel/register-with-api.ts';
import { noteBoundValues, noteRows } from '../otel/spans/step-span.ts';
import { StepTracerProvider } from '../otel/tracer.ts';
import { propagation } from '../record/async/async-parent.ts';
import { startReturned } from '../record/async/start-returned.ts';
import { bindBluebird } from './bluebird.ts';
import { patchBullMq } from './bullmq.ts';
import { patchNodeSqliteOnLoad } from './drivers/node-sqlite.ts';
import type { Patch, Tools } from './instrumentations/tools.ts';
import { findInstrumentation, type Instrumented, libraryFiles, mainFiles } from './known.ts';
import { patchMongoose } from './mongoose.ts';
import { registerPrismaTracer } from './prisma.ts';
import { type LoadedFile, watchLoads } from './watch-loads.ts';

const tools: Tools = {
  provider: new StepTracerProvider(),
  contextManager: stepContextManager,
  noteBoundValues,
  noteRows,
  startReturned,
  propagator: {
    ...traceContextPropagator,
    // If the host runs an OpenTelemetry SDK, the host decides which headers are written into messages.
    inject(...args) {
      if (!hasHostSdk()) traceContextPropagator.inject(...args);
    },
  },
};

/** The patch of each instrumentation; null if the instrumentation could not be loaded. */
const patches = new Map<Instrumented, Patch | null>();

let isPatched = false;

/**
 * Creates steps for the work of known libraries, whether the host loads them before or after this call. The SDK itself loads none of them.
 */
export function patchLibraries({ logs }: { readonly logs: boolean }): void {
  if (isPatched) return;
  isPatched = true;
  registerPrismaTracer(tools.provider.getTracer('prisma'));
  patchNodeSqliteOnLoad();
  hookRegisteredSdk(isCovered);
  watchLoads(libraryFiles, (file) => {
    if (file.library !== 'winston') onLoad(file);
    else if (logs) patchWinston(file.module.exports);
  });
}

function onLoad(file: LoadedFile): void {
  // The patched libraries call the host's callbacks with an empty stack, so only the async context shows which function passed a callback.
  propagation.on = true;
  const { library, module } = file;
  if (library === '@opentelemetry/api') registerWithApi(module.exports, isCovered);
  if (library === 'bluebird') bindBluebird(module.exports);
  if (library === 'mongoose') patchMongoose(module.exports);
  if (library === 'bullmq') patchBullMq(module.exports);
  const name = findInstrumentation(library);
  if (name === undefined) return;
  if (!patches.has(name)) patches.set(name, loadPatch(name));
  const fileName = mainFiles[library] === file.path ? library : `${library}/${file.path}`;
  const patched = patches.get(name)?.(fileName, module.exports, file.folder);
  if (patched !== undefined && patched !== module.exports) module.exports = patched;
  reportDetail(`watching ${fileName}`);
}

function loadPatch(name: Instrumented): Patch | null {
  try {
    const file = import.meta.url.endsWith('.ts')
      ? `./instrumentations/${name}.ts`
      : `./instrumentation-${name}.cjs`;
    const create = readProperty(createRequire(import.meta.url)(file), 'create');
    if (!isCreate(create)) throw new Error(`${file} exports no function named create`);
    return create(tools);
  } catch (error) {
    reportFault(`Instrumenting ${name}`, error);
    return null;
  }
}

function isCreate(value: unknown): value is (tools: Tools) => Patch {
  return typeof value === 'function';
}

/** The host's instrumentations whose spans become no steps, because the SDK itself records the work of the instrumented libraries. */
const seenAnyway = new Set(
  ['http', 'undici', 'express', 'router', 'connect', 'fastify', 'koa', 'hapi', 'nestjs-core', 'restify'].map(
    formatScopeName,
  ),
);

function isCovered(scope: string): boolean {
  return (
    seenAnyway.has(scope) ||
    [...patches].some(([name, patch]) => patch !== null && scope === formatScopeName(name))
  );
}

function formatScopeName(library: string): string {
  return `@opentelemetry/instrumentation-${library}`;
}

import type { TracerProvider } from '@opentelemetry/api';
import { call, readProperty, replaceOnce } from '../internal/foreign.ts';
import { runGuarded } from '../internal/report.ts';
import { hostContextManager } from './context.ts';
import { getRegistered, type Registered, unregister } from './global-api.ts';
import { hookHostSdk } from './host-sdk.ts';
import { traceContextPropagator } from './propagator.ts';
import { StepTracerProvider } from './tracer.ts';

/** The SDK's registration. Undefined before the SDK has registered, and once the host has registered its own OpenTelemetry SDK. */
let ours: Registered | undefined;
/** The provider of the host's own SDK. Tracers that the SDK gave to the host earlier forward their work to this provider. */
let successor: TracerProvider | undefined;

const provider = new StepTracerProvider(() => successor);

export function hasHostSdk(): boolean {
  return successor !== undefined;
}

/** Returns the host's registration; undefined if there is none. */
export function getHostApi(): Registered | undefined {
  return hasHostSdk() ? getRegistered() : undefined;
}

/** Hooks the OpenTelemetry SDK that the host has registered, if there is one. For `skips`, see {@link hookHostSdk}. */
export function hookRegisteredSdk(skips: (scope: string) => boolean): void {
  const found = getRegistered();
  if (found === undefined || found.trace === ours?.trace) return;
  const given = call(found.trace, 'getDelegate') ?? found.trace;
  if (isProvider(given)) successor = given;
  hookHostSdk(found, skips);
}

/**
 * Called when a copy of `@opentelemetry/api` was loaded. As long as the host registers no OpenTelemetry SDK, spans created through this
 * copy become steps. When the host registers an OpenTelemetry SDK, Throughline removes its own registration and then hooks the host's SDK.
 */
export function registerWithApi(api: unknown, skips: (scope: string) => boolean): void {
  const trace = readProperty(api, 'trace');
  const context = readProperty(api, 'context');
  const propagation = readProperty(api, 'propagation');
  if (getRegistered() === undefined) {
    call(trace, 'setGlobalTracerProvider', provider);
    call(context, 'setGlobalContextManager', hostContextManager);
    call(propagation, 'setGlobalPropagator', traceContextPropagator);
    ours = getRegistered();
  } else if (ours === undefined) hookRegisteredSdk(skips);
  const makeRoom = (): void => {
    if (ours !== undefined) unregister(ours);
    ours = undefined;
  };
  for (const [part, name] of [
    [trace, 'setGlobalTracerProvider'],
    [context, 'setGlobalContextManager'],
    [propagation, 'setGlobalPropagator'],
  ] as const) {
    replaceOnce(part, name, (register) => {
      return function (...args) {
        runGuarded("Removing the SDK's own registration with OpenTelemetry", makeRoom);
        const result = register.apply(this, args);
        runGuarded('Attaching to the OpenTelemetry SDK', () => hookRegisteredSdk(skips));
        return result;
      };
    });
  }
}

function isProvider(value: unknown): value is TracerProvider {
  return typeof readProperty(value, 'getTracer') === 'function';
}

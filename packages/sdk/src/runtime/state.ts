import type { Tracer } from './tracer.ts';

/** The running tracer; undefined until `init` has started tracing. */
let running: Tracer | undefined;

export function getRunningTracer(): Tracer | undefined {
  return running;
}

export function setRunningTracer(tracer: Tracer): void {
  running = tracer;
}

let first = false;

/** Called if the SDK was loaded by `--import` or `--require`, before any host code. */
export function markPreloaded(): void {
  first = true;
}

export function isPreloaded(): boolean {
  return first;
}

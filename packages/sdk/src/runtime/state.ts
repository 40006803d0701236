import type { Tracer } from './tracer.ts';

/** The one running tracer, once `init` found a key. */
let running: Tracer | undefined;

export function runningTracer(): Tracer | undefined {
  return running;
}

export function setRunningTracer(tracer: Tracer): void {
  running = tracer;
}

let first = false;

/** The SDK was loaded by `--import` or `--require`: before anything of the host's. */
export function markPreloaded(): void {
  first = true;
}

export function isPreloaded(): boolean {
  return first;
}

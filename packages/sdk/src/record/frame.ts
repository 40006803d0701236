import { type InstrumentedSite, OpenStep } from './open-step.ts';
import { currentRecording, live } from './recording.ts';

/** The one global name that injected code begins from; everything else hangs from what it returns. */
export const runtimeName = '__tl_';

/** What injected code finds under `__tl_`. */
export class FrameRuntime {
  readonly sites: (InstrumentedSite | undefined)[] = [];
  /** Fetches sites that another thread instrumented; see the loader for Node 20. */
  fetchSites: (() => void) | null = null;
  private readonly live = live;

  /** How many recordings are under way: 0 is the whole cost of an idle function. */
  get on(): number {
    return this.live.on;
  }

  /**
   * A function is entered. Null when this call is not recorded: decided here, once. `outer` is the frame of the function around it in the
   * source, which tells the parent where the stack does not (timers, listeners).
   */
  enter(id: number, outer: unknown, inputs?: readonly unknown[]): OpenStep | null {
    const recording = currentRecording();
    if (recording === undefined) return null;
    const site = this.sites[id] ?? this.lateSite(id);
    if (site === undefined) return null;
    return recording.enter(site, outer instanceof OpenStep ? outer : null, inputs);
  }

  private lateSite(id: number): InstrumentedSite | undefined {
    this.fetchSites?.();
    return this.sites[id];
  }
}

let installed: FrameRuntime | undefined;

/** Makes the runtime known to injected code. A second copy of the SDK in the process leaves the first one's in place, and gets undefined. */
export function installRuntime(): FrameRuntime | undefined {
  if (installed !== undefined) return installed;
  if (Object.getOwnPropertyDescriptor(globalThis, runtimeName) !== undefined) return undefined;
  installed = new FrameRuntime();
  Object.defineProperty(globalThis, runtimeName, { value: installed });
  return installed;
}

/** Whether calls of this function make a frame, so that a step opened for it may be told to adopt that frame. */
export function isInstrumented(fn: (...args: never[]) => unknown): boolean {
  try {
    return Function.prototype.toString.call(fn).includes(`${runtimeName}.enter(`);
  } catch {
    return false;
  }
}

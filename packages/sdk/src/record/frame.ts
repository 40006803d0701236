import { isObjectOrFunction } from '../internal/is-object.ts';
import { entryCall, prebuiltSitesName, runtimeName } from '../internal/runtime-name.ts';
import { readRewrittenText } from '../rewritten/function-text.ts';
import { RewrittenSources } from '../rewritten/sources.ts';
import { ActiveStep } from './active-step.ts';
import { getCurrentRecording, getRecording } from './async/current-recording.ts';
import { driveIterator, GeneratorTurns, type VariablesAccess } from './async/driven-iterator.ts';
import { live, type Recording } from './recording.ts';
import type { InstrumentedSite } from './types.ts';

/** The object that injected code uses as `__tl_`. */
export class FrameRuntime {
  private readonly sites: (InstrumentedSite | undefined)[] = [];
  private nextId = 0;
  /**
   * Sites of code that was instrumented by a build. The first site has the id -1. The list's length is not reliable, because any code can
   * write to the list.
   */
  private readonly prebuilt = getPrebuiltSites();
  private readonly live = live;
  readonly sources = new RewrittenSources();
  /** The frame of all calls that are not recorded. It is an ActiveStep like all other frames, so that V8 sees only one class of frame. */
  readonly idle = new ActiveStep(null, '', 'function', null, null, false, false);

  /** Number of running recordings. While the number is 0, reading it is the only cost of an instrumented function. */
  get on(): number {
    return this.live.on;
  }

  /**
   * Called when a function is entered. Returns the call's frame, or null if the call is not recorded. `outer` is the frame of the enclosing
   * function in the source, which can determine the parent if the stack is empty (timers, listeners). For a compiled state machine,
   * `iterator` is its generator and `inputs` a function for its variables. In this case, returns `iterator`, or a replacement that records
   * when the generator runs.
   */
  enter(
    id: number,
    inputs?: readonly unknown[] | VariablesAccess,
    outer?: unknown,
    iterator?: unknown,
    self?: unknown,
  ): unknown {
    let recording: Recording | undefined;
    let before: ActiveStep | null = null;
    try {
      recording = findRecording(outer);
      if (recording === undefined) return typeof inputs === 'function' ? iterator : null;
      if (typeof inputs === 'function') return this.drive(id, inputs, outer, iterator, self);
      before = recording.current;
      const site = this.site(id);
      if (site === undefined) return null;
      const around = outer instanceof ActiveStep ? outer : null;
      const { meter } = recording;
      return meter === null
        ? recording.enter(site, around, inputs)
        : meter.enter(recording, site, around, inputs);
    } catch {
      // The stack is full, or the host has patched a built-in that this method uses. If the stack is full, the host's own code fails next.
      if (typeof inputs === 'function') return iterator;
      if (recording !== undefined) recording.current = before;
      return null;
    }
  }

  /** Wraps a generator, so that its step begins with the first call of `next`, `throw` or `return`. Returns the wrapper. */
  private drive(
    id: number,
    variables: VariablesAccess,
    outer: unknown,
    iterator: unknown,
    self: unknown,
  ): unknown {
    const site = this.site(id);
    if (site === undefined || !isObjectOrFunction(iterator)) return iterator;
    const enter = (inputs: readonly unknown[]): ActiveStep | null => {
      const frame = this.enter(id, inputs, outer);
      return frame instanceof ActiveStep ? frame : null;
    };
    return driveIterator(iterator, new GeneratorTurns(site, enter, variables, self));
  }

  /** Reserves `count` consecutive site ids and returns the first id. */
  reserveSites(count: number): number {
    const first = this.nextId;
    this.nextId += count;
    return first;
  }

  /** Registers sites. `file` is the source file of the sites, and `insertions` describes the code that was injected into the file. */
  addSites(first: number, sites: readonly InstrumentedSite[], file: string, insertions: Uint8Array): void {
    if (sites.length > 0) this.sources.add(file, first, insertions);
    const origin = { file, loadedMs: Date.now() };
    for (let index = 0; index < sites.length; index++) {
      const site = sites[index];
      if (site !== undefined) site.origin = origin;
      this.sites[first + index] = site;
    }
  }

  site(id: number): InstrumentedSite | undefined {
    return id < 0 ? this.prebuilt[-1 - id] : this.sites[id];
  }

  prebuiltSitesNamed(name: string): InstrumentedSite[] {
    return this.prebuilt.flatMap((site) => (site?.name === name ? [site] : []));
  }

  /** True if a build instrumented some of this process's code. */
  get hasPrebuilt(): boolean {
    return this.prebuilt.length > 0;
  }
}

/**
 * Returns the recording to which a call belongs. If the stack is empty, this is the recording of `outer`, the frame in which the function
 * was created, unless that recording has ended. The async context does not decide then: queues of hosts and libraries run functions of one
 * request in the context of another request, or in none.
 */
function findRecording(outer: unknown): Recording | undefined {
  const recording = getCurrentRecording();
  if (!(outer instanceof ActiveStep) || outer.recording === recording || outer.recording === null)
    return recording;
  return recording === undefined || recording.current === null
    ? (getRecording(outer) ?? undefined)
    : recording;
}

/**
 * Returns the list of prebuilt sites. If code that was instrumented by a build ran before the SDK was loaded, this code has created the
 * list.
 */
function getPrebuiltSites(): (InstrumentedSite | undefined)[] {
  const found: unknown = Reflect.get(globalThis, prebuiltSitesName);
  if (Array.isArray(found)) return found;
  const made: InstrumentedSite[] = [];
  Object.defineProperty(globalThis, prebuiltSitesName, { value: made });
  return made;
}

let installed: FrameRuntime | undefined;

/**
 * Publishes the runtime to injected code. Returns undefined if another copy of the SDK has already published its own runtime.
 */
export function installRuntime(): FrameRuntime | undefined {
  if (installed !== undefined) return installed;
  if (Object.getOwnPropertyDescriptor(globalThis, runtimeName) !== undefined) return undefined;
  installed = new FrameRuntime();
  Object.defineProperty(globalThis, runtimeName, { value: installed });
  return installed;
}

/** True if calls of this function create a frame. A step that is opened for a call can then adopt the frame. */
export function isInstrumented(fn: (...args: never[]) => unknown): boolean {
  try {
    return readRewrittenText(fn).includes(entryCall);
  } catch {
    return false;
  }
}

/**
 * Finds the sites of an instrumented function by the id in the function's source. If the code was instrumented by a build, finds its sites
 * by `name` (`Class.method`) instead.
 */
export function findSites(fn: (...args: never[]) => unknown, name: string): readonly InstrumentedSite[] {
  if (installed === undefined) return [];
  const text = readRewrittenText(fn);
  const [, id] = /^\((\d+)[,)]/.exec(text.slice(text.indexOf(entryCall) + entryCall.length - 1)) ?? [];
  const site = id === undefined ? undefined : installed.site(Number(id));
  return site === undefined ? installed.prebuiltSitesNamed(name) : [site];
}

import type { ActiveStep } from './active-step.ts';
import { isFunctionSite } from './below.ts';
import { findShownStep } from './call-aggregate.ts';

/** The steps of a framework's layers in one recording, and of the functions by which one layer runs the next layers. */
export class LayerSteps {
  readonly #layers = new Set<ActiveStep>();
  /** Steps between a layer and the layers that run when it calls `next`. */
  readonly #between = new Set<ActiveStep>();

  add(step: ActiveStep): void {
    this.#layers.add(step);
  }

  /**
   * Finds the step in which the next layers run: the function or layer that calls `next`, if it is below `layer`, otherwise `layer`. `here`
   * is the step that calls `next`, and `layer` is the step of the layer that received `next`.
   */
  findCaller(layer: ActiveStep | null, here: ActiveStep | null): ActiveStep | null {
    let caller = layer;
    for (let step = here; step !== layer; step = step.parent) {
      if (step === null) return layer;
      if (caller === layer && this.#isCallOfHost(step)) caller = step;
    }
    for (let step = caller; step !== layer && step !== null; step = step.parent)
      this.#between.add(findShownStep(step));
    return caller;
  }

  /** True if the step has no parent, or is a layer with only layers, and steps between layers, around it. */
  isOutermost(step: ActiveStep): boolean {
    if (step.parent !== null && !this.#layers.has(step)) return false;
    for (let { parent } = step; parent !== null; parent = parent.parent)
      if (!this.#layers.has(parent) && !this.#between.has(parent)) return false;
    return true;
  }

  /** False for a query or an outgoing request, whose callback can call `next`. */
  #isCallOfHost(step: ActiveStep): boolean {
    return this.#layers.has(step) || isFunctionSite(step.site);
  }
}

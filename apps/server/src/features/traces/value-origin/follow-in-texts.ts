import type { Step } from '@throughline/contract';
import { runInSlices } from '../../../platform/queues/run-in-slices.ts';
import type { Analysis } from '../analysis/analysis-threads.ts';
import type { StoredTrace } from '../store.ts';
import { type AskedPlace, type FoundOrigin, findValueOrigin } from './value-origin.ts';

/** A trace to search, whose steps are still JSON, so that the thread that searches the trace also parses the steps. */
export interface OriginInput {
  readonly trace: StoredTrace;
  readonly texts: readonly string[];
  readonly asked: AskedPlace;
}

/** Finds where a value came from and where it went; see {@link findValueOrigin}. */
export const analysis: Analysis<OriginInput, FoundOrigin | undefined> = {
  module: import.meta.url,
  async analyze({ trace, texts, asked }) {
    const steps: Step[] = [];
    await runInSlices(texts, (text) => steps.push(JSON.parse(text)));
    return findValueOrigin({ trace, steps }, asked);
  },
};

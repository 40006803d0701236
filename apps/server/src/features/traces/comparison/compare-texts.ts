import type { TraceComparison } from '@throughline/contract';
import type { Analysis } from '../analysis/analysis-threads.ts';
import { compareTraces } from './comparison.ts';
import { type ComparedTexts, parseTrace, parseTraces } from './trace-texts.ts';

export interface ComparisonInput extends ComparedTexts {
  readonly reason: string | null;
}

/** Compares two traces; see {@link compareTraces}. */
export const analysis: Analysis<ComparisonInput, TraceComparison> = {
  module: import.meta.url,
  async analyze({ left, right, goods, reason }) {
    return compareTraces(await parseTrace(left), await parseTrace(right), await parseTraces(goods), reason);
  },
};

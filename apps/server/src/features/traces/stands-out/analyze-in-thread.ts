import { type AnalysisOrder, type AnalysisThreads, AnalysisTooLarge } from '../analysis/analysis-threads.ts';
import { areSmall } from '../comparison/trace-texts.ts';
import { type AnalyzedRequest, analysis, type RequestInput } from './analyze-request.ts';

/**
 * Analyzes a request. If the comparison with successful requests takes too long or needs too much memory, the request is analyzed without
 * the comparison.
 */
export async function analyzeInThread(
  threads: AnalysisThreads,
  { input, ...order }: Omit<AnalysisOrder<RequestInput>, 'isSmall'>,
): Promise<AnalyzedRequest> {
  const { left, compared } = input;
  const run = (each: RequestInput) => {
    const others = each.compared === undefined ? [] : [each.compared.right, ...each.compared.goods];
    return threads.run(analysis, { ...order, input: each, isSmall: areSmall([left, ...others]) });
  };
  try {
    return await run(input);
  } catch (error) {
    if (!(error instanceof AnalysisTooLarge) || compared === undefined) throw error;
    return run({ ...input, compared: undefined });
  }
}

import { type FurtherTrace, type ReadTrace, readSteps } from './comparison.ts';

/** A trace to compare, whose steps are not parsed yet. It is parsed where it is analyzed, which can be another thread. */
export interface TraceTexts {
  readonly trace: ReadTrace['trace'];
  /** The steps as JSON, in start order. */
  readonly texts: readonly string[];
  /** False if the steps were read without values. */
  readonly values: boolean;
}

export interface FurtherTexts extends TraceTexts {
  /** See {@link FurtherTrace}. */
  readonly otherInputs?: boolean;
}

/** A request, a successful request to compare with, and further successes. */
export interface ComparedTexts {
  readonly left: TraceTexts;
  readonly right: TraceTexts;
  readonly goods: readonly FurtherTexts[];
}

export async function parseTrace({ texts, ...trace }: FurtherTexts): Promise<FurtherTrace> {
  return { ...trace, steps: await readSteps(texts) };
}

export async function parseTraces(traces: readonly FurtherTexts[]): Promise<FurtherTrace[]> {
  const parsed: FurtherTrace[] = [];
  for (const trace of traces) parsed.push(await parseTrace(trace));
  return parsed;
}

/** The cost of analyzing one step, in characters. */
const STEP_CHARACTERS = 200;

/** Returns the size of traces in characters. */
export function measureTexts(traces: readonly TraceTexts[]): number {
  let size = 0;
  for (const { texts } of traces) for (const text of texts) size += text.length + STEP_CHARACTERS;
  return size;
}

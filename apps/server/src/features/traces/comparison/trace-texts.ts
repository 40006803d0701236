import { type FurtherTrace, type ReadTrace, readSteps } from './comparison.ts';

/** A trace to compare, whose steps are not parsed yet. The thread that analyzes the trace parses the steps. */
export interface TraceTexts {
  readonly trace: ReadTrace['trace'];
  /** The steps as JSON, in start order. */
  readonly texts: readonly string[];
  /** False if the steps were read without values. */
  readonly values: boolean;
}

export interface FurtherTexts extends TraceTexts {
  /** True if this request has other inputs than the inspected request; see {@link FurtherTrace}. */
  readonly otherInputs?: boolean;
}

/** A request, a successful request to compare with, and further successful requests. */
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

/**
 * Limits of traces that are analyzed on the event loop. Analyzing the slowest known traces within these limits blocks the event loop for
 * about 50 ms.
 */
const SMALL = { characters: 500_000, values: 8_000 } as const;
/**
 * Approximate number of members of a step's JSON that are not captured values, such as its name and times. These members are subtracted
 * from the counted values. A step counts as at least {@link MIN_STEP_VALUES} values, because every step costs some time.
 */
const STEP_MEMBERS = 10;
const MIN_STEP_VALUES = 4;

/** True if the traces have so few values and characters that they are analyzed quickly. A short text can have many values. */
export function areSmall(traces: readonly Pick<TraceTexts, 'texts'>[]): boolean {
  const texts = traces.flatMap((trace) => trace.texts);
  if (texts.length * MIN_STEP_VALUES > SMALL.values) return false;
  if (texts.reduce((sum, text) => sum + text.length, 0) > SMALL.characters) return false;
  let values = 0;
  for (const text of texts) {
    values += Math.max(MIN_STEP_VALUES, countValues(text) - STEP_MEMBERS);
    if (values > SMALL.values) return false;
  }
  return true;
}

/** Counts the values in a JSON text, without parsing the text. The result is too high if strings contain commas or brackets. */
function countValues(text: string): number {
  let count = 0;
  for (const character of text) if (character === ',' || character === '[' || character === '{') count += 1;
  return count;
}

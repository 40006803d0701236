import type { TraceStore } from '../../platform/trace-store/index.ts';
import { type AssembledStep, assemble } from './assemble.ts';
import { findLinksOf, findStepTexts, type TraceKey } from './store.ts';

/** A request that spans are steps of. */
export interface SpanRequest extends TraceKey {
  readonly spanId: string;
}

/** The steps of a request as they are now, in start order. */
export async function stepsOf(store: TraceStore, request: SpanRequest): Promise<readonly AssembledStep[]> {
  return assemble(await findLinksOf(store, request)).get(request.spanId) ?? [];
}

/** The same as JSON texts of the contract's Step. */
export async function stepTextsOf(
  store: TraceStore,
  request: SpanRequest,
  options: { readonly values: boolean },
): Promise<string[]> {
  const steps = await stepsOf(store, request);
  if (steps.length === 0) return [];
  const texts = await findStepTexts(
    store,
    request,
    steps.map(({ spanId }) => spanId),
    options,
  );
  return steps.flatMap((step, sequence) => {
    const text = texts.get(step.spanId);
    return text === undefined ? [] : [stepText(step, sequence, text)];
  });
}

/** One step of a request; undefined where the span is none of its steps. */
export async function stepTextOf(
  store: TraceStore,
  request: SpanRequest,
  stepId: string,
): Promise<string | undefined> {
  const steps = await stepsOf(store, request);
  const sequence = steps.findIndex(({ spanId }) => spanId === stepId);
  const step = steps[sequence];
  if (step === undefined) return undefined;
  const texts = await findStepTexts(store, request, [stepId], { values: true });
  const text = texts.get(stepId);
  return text === undefined ? undefined : stepText(step, sequence, text);
}

function stepText({ spanId, parentStepId }: AssembledStep, sequence: number, rest: string): string {
  const parent = parentStepId === null ? 'null' : `"${parentStepId}"`;
  return `{"stepId":"${spanId}","parentStepId":${parent},"sequence":${sequence},${rest}`;
}

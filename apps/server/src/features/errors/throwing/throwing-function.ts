import type { ThrowingFunction } from '@throughline/contract';
import { listReferredSteps, withReferred } from '@throughline/contract/captured';
import type { ShownProject } from '../../../platform/http/guard.ts';
import type { TraceStore } from '../../../platform/trace-store/index.ts';
import type { ComparedRequests, Conditions } from '../compared-store.ts';
import {
  type Call,
  type FailedStep,
  findFailedSteps,
  readCalls,
  readSuccessfulCalls,
  type SampledTrace,
  sampleFailing,
  sampleSuccessful,
} from './calls-store.ts';
import { readPlace } from './error-place.ts';
import { listValues } from './list-values.ts';
import { type ListedCall, rankValues } from './rank-values.ts';

/** Maximum number of references in a row that are followed from step to step. */
const MAX_REFERENCES = 3;
/** With fewer failing calls, values that they share could be a coincidence. */
const MIN_CALLS = 3;

/**
 * Finds the function that threw most often in a sample of the error's requests, and the values that the function's failing calls share.
 * Returns null if no step threw, and undefined if no request failed with the error. `findOthers` finds the successful requests with which
 * the failed requests are compared.
 */
export async function findThrowingFunction(
  store: TraceStore,
  project: ShownProject,
  failing: Conditions,
  findOthers: () => Promise<Pick<ComparedRequests, 'successful'>>,
): Promise<ThrowingFunction | null | undefined> {
  const findSuccessful = async () => sampleSuccessful(store, (await findOthers()).successful);
  const [thrown, successful] = await Promise.all([findThrown(store, project, failing), findSuccessful()]);
  if (thrown === undefined) return undefined;
  const [first] = thrown;
  if (first === undefined) return null;
  const [bad, good] = await Promise.all([
    readCalls(
      store,
      project,
      thrown.map(({ trace_id, step_id }) => [trace_id, step_id] as const),
    ),
    readSuccessfulCalls(store, project, successful, first),
  ]);
  const steps = await readReferred(store, project, [...bad, ...good]);
  const list = (calls: readonly Call[]) => calls.map((call) => listCall(call, steps));
  return {
    name: first.function,
    file: first.file === '' ? null : first.file,
    failing: bad.length,
    successful: good.length,
    values: bad.length < MIN_CALLS ? [] : rankValues(list(bad), list(good)),
  };
}

/** Finds the steps of the function that threw most often in a sample of the failed requests; undefined without failed requests. */
async function findThrown(
  store: TraceStore,
  project: ShownProject,
  conditions: Conditions,
): Promise<readonly FailedStep[] | undefined> {
  const failing = await sampleFailing(store, conditions);
  if (failing.length === 0) return undefined;
  const failed = await findFailedSteps(
    store,
    project,
    failing.map(({ id }) => id),
  );
  return chooseMost(chooseThrowing(failing, failed));
}

/**
 * Chooses the step that threw in each request. `failed` lists the failed steps of a request, the last called first. Prefers steps with the
 * request's error message, and among these the function in `place`. Of several such steps, the one called last is chosen. If no step has the
 * message, the failed step called last is chosen. A request without failed steps is left out.
 */
function chooseThrowing(failing: readonly SampledTrace[], failed: readonly FailedStep[]): FailedStep[] {
  const byTrace = Map.groupBy(failed, ({ trace_id }) => trace_id);
  return failing.flatMap(({ id, message, place }) => {
    const own = byTrace.get(id) ?? [];
    const thrower = readPlace(place)?.function;
    const sameMessage = own.filter((step) => step.message === message);
    return sameMessage.find((step) => step.function === thrower) ?? sameMessage[0] ?? own[0] ?? [];
  });
}

/** Chooses the steps of the function that threw most often. */
function chooseMost(thrown: readonly FailedStep[]): readonly FailedStep[] {
  const byFunction = Map.groupBy(thrown, (step) => JSON.stringify([step.function, step.file]));
  return [...byFunction.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

type StepsOfTraces = ReadonlyMap<string, Call>;

function buildKey(trace: string, step: string): string {
  return JSON.stringify([trace, step]);
}

/** Reads the steps that references in the calls lead to, because a repeated object is stored only as a reference. */
async function readReferred(
  store: TraceStore,
  project: ShownProject,
  calls: readonly Call[],
): Promise<StepsOfTraces> {
  const known = new Map(calls.map((call) => [buildKey(call.trace, call.stepId), call]));
  let fresh = calls;
  for (let round = 0; round < MAX_REFERENCES; round += 1) {
    const keys = fresh.flatMap((call) =>
      [...listReferredSteps(call)].map((step): [string, string] => [call.trace, step]),
    );
    const missing = new Map(
      keys.flatMap((key) => (known.has(buildKey(...key)) ? [] : [[buildKey(...key), key] as const])),
    );
    fresh = await readCalls(store, project, [...missing.values()]);
    if (fresh.length === 0) break;
    for (const call of fresh) known.set(buildKey(call.trace, call.stepId), call);
  }
  return known;
}

function listCall(call: Call, steps: StepsOfTraces): ListedCall {
  const { trace, stepId } = call;
  const { inputs, variables } = withReferred(call, (step) => steps.get(buildKey(trace, step)));
  const given = inputs ?? variables?.parameters;
  const locals = variables?.localVariables;
  return {
    trace,
    stepId,
    ...listValues({
      ...(given === undefined ? {} : { inputs: given }),
      ...(locals === undefined ? {} : { localVariables: locals }),
    }),
  };
}

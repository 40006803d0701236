import { sceneOfFile } from '@throughline/testkit/scene';
import { beforeAll, expect, type TestContext, test } from 'vitest';
import { printAnswer } from './exchange.ts';
import { findNoise, findNotAttributed, findPendingPromises, findShorterParents, printFlow } from './flow.ts';
import { connectStore, MARKER, type Runs, runBoth, type Scenario } from './runs.ts';
import type { RealService } from './service.ts';

export interface RealTest {
  readonly service: RealService;
  readonly scenario: Scenario;
  /**
   * Complete step trees that are expected for some requests. The key is the request's number in the scenario. Each tree follows the calls
   * in the service's source.
   */
  readonly flows: Readonly<Record<number, string>>;
  /** Expected error messages, by the number of the request that fails. Requests without an entry must not fail. */
  readonly errors: Readonly<Record<number, string>>;
  /**
   * Functions that, according to the service's source, a library calls outside every step, and that were not created inside a step. Their
   * steps are at the top level of a request.
   */
  readonly calledByLibraries?: readonly string[];
  /** Texts that requests contain, and that no trace is allowed to contain. */
  readonly secrets?: readonly string[];
}

/** Declares the tests that apply to every service. Returns a function that returns the runs, for further tests. */
export function testService({
  service,
  scenario,
  flows,
  errors,
  calledByLibraries = [],
  secrets = [],
}: RealTest): (context: TestContext) => Runs {
  const scene = sceneOfFile();
  let runs: Runs | undefined;
  beforeAll(async () => {
    runs = await runBoth(service, scenario, connectStore(scene));
  });
  const requests = [...scenario.inTurn, ...scenario.overlapping];
  const getRuns = (context: TestContext): Runs =>
    runs ??
    context.skip('the service cannot be installed, does not support this Node, or lacks its database server');
  const check = (title: string, run: (context: TestContext) => void) => test(title, run);
  const eachTrace = <T>(context: TestContext, find: (trace: NonNullable<Runs['traces'][number]>) => T[]) =>
    getRuns(context).traces.flatMap((trace, nth) =>
      trace === undefined
        ? []
        : find(trace).map((found) => `${nth} ${requests[nth]?.path}: ${String(found)}`),
    );

  check('every response is the same with and without the SDK, byte for byte', (context) => {
    const { plain, traced } = getRuns(context);
    expect(traced).toHaveLength(requests.length);
    for (const [nth, answer] of traced.entries()) {
      const expected = plain[nth];
      if (expected === undefined) throw new Error(`no response to request ${nth}`);
      expect(printAnswer(answer, service)).toBe(printAnswer(expected, service));
    }
  });

  check('every request has exactly one stored trace, with the status that was sent', (context) => {
    const { traces, others, traced } = getRuns(context);
    expect(traces.map((trace) => trace?.response.statusCode)).toEqual(traced.map(({ status }) => status));
    expect(others.map(({ request }) => request.path)).toEqual([]);
  });

  check('the SDK prints nothing', (context) => {
    expect(getRuns(context).output).not.toContain('[throughline]');
  });

  check(
    'no step ends before the steps that it called, unless the called steps are marked as detached',
    (context) => {
      expect(eachTrace(context, findShorterParents)).toEqual([]);
    },
  );

  check("every step is a function of the author, under the name in the author's source", (context) => {
    expect(eachTrace(context, findNoise)).toEqual([]);
  });

  check('every function is below the step that called it', (context) => {
    const found = eachTrace(context, (trace) => findNotAttributed(trace, calledByLibraries));
    expect(found).toEqual([]);
  });

  check('every returned promise shows its outcome', (context) => {
    expect(eachTrace(context, findPendingPromises)).toEqual([]);
  });

  check('the trace of an overlapping request contains no value of another request', (context) => {
    const { traces } = getRuns(context);
    for (const [nth, trace] of traces.slice(scenario.inTurn.length).entries()) {
      const found = new Set(
        [...JSON.stringify(trace ?? null).matchAll(MARKER)].map(([, number]) => Number(number)),
      );
      expect([...found]).toEqual([nth]);
    }
  });

  check('only failing requests have an error, and each error has its message', (context) => {
    const found = getRuns(context)
      .traces.slice(0, scenario.inTurn.length)
      .flatMap((trace, nth) => (trace?.error.hasError ? [[nth, trace.error.errorMessage]] : []));
    expect(Object.fromEntries(found)).toEqual(errors);
  });

  if (secrets.length > 0) {
    check('no trace contains a secret of its request', (context) => {
      const text = JSON.stringify(getRuns(context).traces);
      for (const secret of secrets) expect(text.includes(secret), secret).toBe(false);
    });
  }

  for (const [nth, flow] of Object.entries(flows)) {
    const { method = 'GET', path } = requests[Number(nth)] ?? { path: '' };
    check(`the steps of ${method} ${path} (request ${nth}) are the calls in the source`, (context) => {
      const trace = getRuns(context).traces[Number(nth)];
      expect(trace === undefined ? '' : printFlow(trace)).toBe(flow.trim());
    });
  }
  return getRuns;
}

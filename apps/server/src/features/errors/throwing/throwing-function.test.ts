import { type IngestTrace, routes } from '@throughline/contract';
import { aTrace, makeOrganization, makeProject, sendTraces } from '@throughline/testkit';
import { serverOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

const file = serverOfFile();

type SentTrace = z.input<typeof IngestTrace>;
type SentStep = NonNullable<SentTrace['flow']>[number];

interface Checkout {
  readonly order: Readonly<Record<string, unknown>>;
  readonly failed?: boolean;
  readonly hoursAgo?: number;
  /** The order that `taxFor` receives, by default the checkout's order. */
  readonly given?: unknown;
}

const MESSAGE = "Cannot read properties of undefined (reading 'rate')";

/** Builds a checkout. With `failed`, the function `taxFor` of the checkout throws. */
function checkout({ order, failed = false, hoursAgo = 1, given = order }: Checkout): SentTrace {
  const startTime = new Date(Date.now() - hoursAgo * 3_600_000).toISOString();
  const step = (stepId: string, parentStepId: string | null, more: object): SentStep => ({
    stepId,
    parentStepId,
    stepName: stepId,
    stepType: 'function',
    functionName: stepId,
    filePath: 'src/checkout.ts',
    startTime,
    duration: 1,
    ...(failed ? { error: { name: 'TypeError', message: MESSAGE } } : {}),
    ...more,
  });
  return aTrace({
    request: { method: 'POST', path: '/checkout', route: '/checkout' },
    response: { statusCode: failed ? 500 : 200 },
    timing: { startTime, duration: 20 },
    ...(failed ? { error: { hasError: true, errorMessage: MESSAGE } } : {}),
    flow: [
      step('placeOrder', null, { inputs: { order } }),
      step('taxFor', 'placeOrder', {
        sequence: 1,
        inputs: { order: given },
        variables: { localVariables: failed ? {} : { rate: 0.2 } },
      }),
      step('audit', 'placeOrder', { sequence: 2, inputs: { order }, error: { message: 'no audit today' } }),
    ],
  });
}

async function aScene() {
  const { owner: person } = await makeOrganization(file.server, 'enterprise_plus');
  const project = await makeProject(person);
  const send = (traces: readonly SentTrace[]) =>
    sendTraces(file.server, project.apiKey, traces, { name: 'shop' });
  const params = { id: project.id };
  const throwing = async (days = '7') => {
    const { errors } = await person.client.call(routes.errors.list, { params, query: { days } });
    const errorId = errors[0]?.id ?? '';
    const answer = await person.client.call(routes.errors.throwing, {
      params: { ...params, errorId },
      query: { days },
    });
    return answer.throwing;
  };
  return { person, project, send, throwing };
}

const times = (count: number, build: (at: number) => Checkout) =>
  Array.from({ length: count }, (_, at) => checkout(build(at)));
const buildOrder = (country: string) => (at: number) => ({
  country,
  total: at,
  user: { id: `u${at}`, plan: 'free' },
});

describe('the function that threw', () => {
  test('is named with the values that only its failing calls have', async () => {
    const { send, throwing, person, project } = await aScene();
    await send([
      ...times(12, (at) => ({ order: buildOrder('UK')(at), failed: true })),
      ...times(8, (at) => ({ order: buildOrder('GB')(at) })),
      ...times(8, (at) => ({ order: buildOrder('DE')(at) })),
    ]);
    const found = await throwing();
    expect(found).toMatchObject({ name: 'taxFor', file: 'src/checkout.ts', failing: 12, successful: 16 });
    expect(
      found?.values.map(({ part, path, value, inside, outside }) => [part, path, value, inside, outside]),
    ).toEqual([['inputs', 'order.country', '"UK"', 1, 0]]);
    const [value] = found?.values ?? [];
    const { trace } = await person.client.call(routes.traces.read, {
      params: { id: value?.trace ?? '' },
      query: { projectId: project.id } as never,
    });
    expect(trace.flow.find(({ stepId }) => stepId === value?.step)?.stepName).toBe('taxFor');
  });

  test('is searched for in all sampled requests if few of the first sampled requests called it', async () => {
    const { send, throwing } = await aScene();
    const order = { total: 1 };
    const uncalled = (trace: SentTrace): SentTrace => ({
      ...trace,
      flow: (trace.flow ?? []).filter(({ stepId }) => stepId !== 'taxFor'),
    });
    await send([
      ...times(5, () => ({ order, failed: true })),
      ...times(40, () => ({ order })),
      ...times(130, () => ({ order })).map(uncalled),
    ]);
    expect(await throwing()).toMatchObject({ name: 'taxFor', failing: 5, successful: 40 });
  });

  test('lists a value once if several of its arguments and variables have the value in the same calls', async () => {
    const { send, throwing } = await aScene();
    const withCopy = (trace: SentTrace): SentTrace => ({
      ...trace,
      flow: (trace.flow ?? []).map((step) =>
        step.stepId === 'taxFor'
          ? {
              ...step,
              variables: { localVariables: { copy: (step.inputs as Pick<Checkout, 'order'>).order } },
            }
          : step,
      ),
    });
    await send(
      [
        ...times(12, (at) => ({ order: buildOrder('UK')(at), failed: true })),
        ...times(12, (at) => ({ order: buildOrder('GB')(at) })),
      ].map(withCopy),
    );
    expect((await throwing())?.values.map(({ path, value, alsoAt }) => [path, value, alsoAt])).toEqual([
      ['order.country', '"UK"', ['copy.country']],
    ]);
  });

  test('is the function that threw first, even if a later function threw the error again', async () => {
    const { send, throwing } = await aScene();
    const failed = times(3, (at) => ({ order: buildOrder('UK')(at), failed: true }));
    await send(
      failed.map((trace) => ({
        ...trace,
        flow: (trace.flow ?? []).flatMap((step) => {
          if (step.stepId !== 'taxFor') return step;
          const startTime = new Date(Date.parse(step.startTime) + 2).toISOString();
          return [step, { ...step, stepId: 'report', stepName: 'report', functionName: 'report', startTime }];
        }),
      })),
    );
    expect(await throwing()).toMatchObject({ name: 'taxFor' });
  });

  test.runIf(isThorough())(
    'is compared by its arguments even if the arguments are stored as references to values of earlier steps',
    async () => {
      const { send, throwing } = await aScene();
      const given = { $type: 'reference', step: 'placeOrder', path: ['inputs', 'order'] };
      await send([
        ...times(10, (at) => ({ order: buildOrder('UK')(at), failed: true, given })),
        ...times(10, (at) => ({ order: buildOrder('GB')(at), given })),
      ]);
      expect((await throwing())?.values[0]).toMatchObject({
        path: 'order.country',
        value: '"UK"',
        inside: 1,
      });
    },
  );

  test.runIf(isThorough())('is listed with a member that only its failing calls lack', async () => {
    const { send, throwing } = await aScene();
    await send([
      ...times(10, (at) => ({ order: { total: at }, failed: true })),
      ...times(10, (at) => ({ order: { total: at, country: at % 2 === 0 ? 'GB' : 'DE' } })),
    ]);
    expect((await throwing())?.values).toMatchObject([
      { path: 'order.country', value: 'not there', inside: 1, outside: 0 },
    ]);
  });

  test('lists no value that was redacted, and no value that successful calls also have', async () => {
    const { send, throwing } = await aScene();
    await send([
      ...times(10, (at) => ({ order: { total: at, password: 'first-secret', plan: 'free' }, failed: true })),
      ...times(10, (at) => ({ order: { total: at, password: at, plan: 'free' } })),
    ]);
    expect(await throwing()).toMatchObject({ failing: 10, successful: 10, values: [] });
  });

  test.runIf(isThorough())('lists no values if only two calls failed', async () => {
    const { send, throwing } = await aScene();
    await send([
      ...times(2, (at) => ({ order: buildOrder('UK')(at), failed: true })),
      ...times(80, (at) => ({ order: buildOrder('GB')(at) })),
    ]);
    expect(await throwing()).toMatchObject({ failing: 2, values: [] });
  });

  test.runIf(isThorough())(
    'is examined only in the selected time range, in a sample of limited size',
    async () => {
      const { send, throwing } = await aScene();
      await send([
        ...times(60, (at) => ({ order: buildOrder('UK')(at), failed: true })),
        ...times(120, (at) => ({ order: buildOrder('GB')(at) })),
        ...times(5, (at) => ({ order: buildOrder('FR')(at), failed: true, hoursAgo: 100 })),
      ]);
      const found = await throwing('1');
      expect(found).toMatchObject({ failing: 30, successful: 60 });
      expect(found?.values[0]).toMatchObject({ path: 'order.country', value: '"UK"', inside: 1, outside: 0 });
    },
  );

  test('is unknown if no step failed', async () => {
    const { send, throwing } = await aScene();
    await send([aTrace({ response: { statusCode: 500 } })]);
    expect(await throwing()).toBeNull();
  });

  test('is not found for an error that no request in the range has', async () => {
    const { person, project, send } = await aScene();
    await send(times(3, (at) => ({ order: buildOrder('UK')(at), failed: true, hoursAgo: 100 })));
    const params = { id: project.id };
    const { errors } = await person.client.call(routes.errors.list, { params, query: { days: '7' } });
    for (const errorId of [errors[0]?.id ?? '', 'f'.repeat(32), 'no-id']) {
      const answer = person.client.call(routes.errors.throwing, {
        params: { ...params, errorId },
        query: { days: '1' },
      });
      await expect(answer).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

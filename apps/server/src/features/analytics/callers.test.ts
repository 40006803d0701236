import { type QueryOf, routes } from '@throughline/contract';
import { aTrace, postBody, refusal } from '@throughline/testkit';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { beforeAll, describe, expect, test } from 'vitest';

const scene = sceneOfFile();
const NOW_MS = Date.now() - 60_000;

/** Builds a request of a distributed trace with its start, in ms after `NOW_MS`, and its duration. */
function request(
  trace: number,
  span: number,
  parent: number | undefined,
  [after, took]: readonly [number, number],
) {
  const hex = (id: number, digits: number) => id.toString(16).padStart(digits, '0');
  return aTrace({
    traceId: hex(trace, 32),
    spanId: hex(span, 16),
    ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
    request: { method: 'GET', path: `/${trace}/${span}` },
    response: { statusCode: span === 13 ? 500 : 200 },
    timing: { startTime: new Date(NOW_MS + after).toISOString(), duration: took },
  });
}

/** Sends requests as traces of the service `name`. */
async function send(name: string, traces: ReturnType<typeof request>[], { apiKey } = scene.project) {
  const reply = await postBody(scene.server, apiKey, JSON.stringify({ service: { name }, traces }));
  expect(reply.body).toMatchObject({ accepted: traces.length });
}

beforeAll(async () => {
  await send('shop', [request(1, 1, undefined, [0, 900]), request(2, 2, 99, [0, 900])]);
  // The parent of the first request is the shop's request. The parent of the second is a step of the shop's request. The parent of the
  // third is a span that was not stored.
  await send('billing', [
    request(1, 11, 1, [10, 50]),
    request(1, 13, 77, [100, 50]),
    request(3, 12, 98, [0, 5]),
  ]);
  await send('', [request(2, 21, 2, [10, 300])]);
  await send('mail', [request(2, 31, 21, [20, 5])]);
});

const edges = async () => {
  const { flows } = await scene.person.client.call(routes.analytics.flows, {
    params: { id: scene.project.id },
    query: {},
  });
  const nameOf = new Map(flows.serviceMap.nodes.map(({ id, name }) => [id, name]));
  return flows.serviceMap.edges.map(({ source, target, requestCount, errorCount }) => ({
    source: nameOf.get(source),
    target: nameOf.get(target),
    requestCount,
    errorCount,
  }));
};
const list = (query: QueryOf<typeof routes.traces.list>) =>
  scene.person.client.call(routes.traces.list, { query: { projectId: scene.project.id, ...query } });

describe('a call between services', () => {
  test('is an edge on the service map, with the number of requests that the list of the edge shows', async () => {
    expect(await edges()).toEqual([
      { source: 'shop', target: 'billing', requestCount: 2, errorCount: 1 },
      { source: '', target: 'mail', requestCount: 1, errorCount: 0 },
      { source: 'shop', target: '', requestCount: 1, errorCount: 0 },
    ]);
    for (const { source = '', target = '', requestCount, errorCount } of await edges()) {
      const asked = {
        ...(source === '' ? { callers: 'unnamed' as const } : { caller: source }),
        ...(target === '' ? { services: 'unnamed' as const } : { service: target }),
      };
      const { total, traces } = await list(asked);
      expect([total, traces.length, ...traces.map(({ service }) => service)]).toEqual([
        requestCount,
        requestCount,
        ...Array.from({ length: requestCount }, () => target),
      ]);
      expect((await list({ ...asked, status: 'error' })).total).toBe(errorCount);
    }
  });

  test('to a traced service is on the map once, and the list of dependencies names the service beside the called host', async () => {
    const { person, project } = await newcomer(scene.server);
    const call = (stepId: string, stepName: string, spanId: string) => ({
      stepId,
      stepName,
      stepType: 'http' as const,
      startTime: new Date(NOW_MS).toISOString(),
      duration: 40,
      metadata: { spanId },
    });
    const flow = [
      call('1', 'POST localhost:4001/charges', '00000000000000a1'),
      call('2', 'POST localhost:4001/refunds', '00000000000000a2'),
      call('3', 'GET rates.example.com/today', '00000000000000a3'),
    ];
    await send('shop', [{ ...request(5, 51, undefined, [0, 900]), flow }], project);
    await send('payments', [request(5, 61, 0xa1, [10, 30]), request(5, 62, 0xa2, [60, 30])], project);
    const { flows } = await person.client.call(routes.analytics.flows, {
      params: { id: project.id },
      query: {},
    });
    expect(flows.serviceMap.nodes.map(({ id }) => id).sort()).toEqual([
      'http:rates.example.com',
      'service:payments',
      'service:shop',
    ]);
    expect(
      flows.serviceMap.edges.map(({ source, target, requestCount }) => [source, target, requestCount]),
    ).toEqual([
      ['service:shop', 'service:payments', 2],
      ['service:shop', 'http:rates.example.com', 1],
    ]);
    expect(flows.dependencies.map(({ name, answeredBy }) => [name, answeredBy])).toEqual([
      ['localhost:4001', ['payments']],
      ['rates.example.com', []],
    ]);
  });

  test.runIf(isThorough())(
    'to a second host name of a traced service does not add the service to the map a second time',
    async () => {
      const { person, project } = await newcomer(scene.server);
      const call = (host: string, spanId: string) => ({
        stepId: '1',
        stepName: `POST ${host}/charges`,
        stepType: 'http' as const,
        startTime: new Date(NOW_MS).toISOString(),
        duration: 4,
        metadata: { spanId },
      });
      // The three oldest calls go to 127.0.0.1, and the others to localhost. Both hosts are the same service.
      const calls = Array.from({ length: 40 }, (_, at) => ({ at, parent: 0xb00 + at }));
      await send(
        'shop',
        calls.map(({ at, parent }) => ({
          ...request(7, 100 + at, undefined, [at * 10, 5]),
          flow: [call(at < 3 ? '127.0.0.1:4001' : 'localhost:4001', parent.toString(16).padStart(16, '0'))],
        })),
        project,
      );
      await send(
        'payments',
        calls.map(({ at, parent }) => request(7, 200 + at, parent, [at * 10 + 1, 2])),
        project,
      );
      const { flows } = await person.client.call(routes.analytics.flows, {
        params: { id: project.id },
        query: {},
      });
      expect(flows.serviceMap.nodes.map(({ id }) => id).sort()).toEqual(['service:payments', 'service:shop']);
    },
  );

  test.each(
    pickRows(
      [
        [{ caller: 'shop' }, ['/1/11', '/1/13', '/2/21']],
        [{ caller: 'shop', endDate: new Date(NOW_MS + 15).toISOString() }, ['/1/11', '/2/21']],
        [{ caller: 'Shop' }, []],
        [{ caller: '' }, ['/1/1', '/1/11', '/1/13', '/2/2', '/2/21', '/2/31', '/3/12']],
        [{ caller: 'shop', callers: 'unnamed' as const }, []],
        [{ callers: 'named' as const }, ['/1/11', '/1/13', '/2/21']],
        [{ callers: 'unnamed' as const }, ['/2/31']],
        [{ services: 'unnamed' as const }, ['/2/21']],
        [{ services: 'named' as const, caller: 'shop' }, ['/1/11', '/1/13']],
      ],
      { usually: 1 },
    ),
  )('is in the list with the filter %j only if the call matches the filter', async (query, paths) => {
    const { traces, total } = await list(query);
    expect(traces.map(({ request: { path } }) => path).sort()).toEqual(paths);
    expect(total).toBe(paths.length);
  });

  test('cannot be listed with an unknown value of the filter `callers` or `services`; the error names the filter', async () => {
    const callers = await refusal(list({ callers: 'all' as never }));
    expect(callers).toMatchObject({ status: 400, details: { fields: [{ path: 'callers' }] } });
    const services = await refusal(list({ services: 'all' as never }));
    expect(services).toMatchObject({ status: 400, details: { fields: [{ path: 'services' }] } });
  });

  test("is not attributed to another project's requests with the same trace ids", async () => {
    const { person, project } = await newcomer(scene.server);
    await send('eve', [request(1, 41, 1, [10, 5])], project);
    for (const query of [{ caller: 'shop' }, { callers: 'named' as const }]) {
      const own = await person.client.call(routes.traces.list, {
        query: { ...query, projectId: project.id },
      });
      expect(own.total).toBe(0);
    }
    expect((await list({ caller: 'shop' })).total).toBe(3);
  });
});

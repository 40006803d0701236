import { gzipSync } from 'node:zlib';
import { type FoundSteps, routes } from '@throughline/contract';
import { aTrace, type Person, refusal, signUp } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfFile } from '@throughline/testkit/scene';
import { isThorough } from '@throughline/testkit/thorough';
import { expect, test } from 'vitest';

const scene = sceneOfFile();
const calls = routes.traces;
const startTime = new Date().toISOString();

interface SentStep {
  readonly stepId: string;
  readonly [field: string]: unknown;
}

const step = (stepId: string, given: object = {}): SentStep => ({
  stepId,
  stepName: 'load',
  startTime,
  duration: 1,
  ...given,
});

async function store(flow: readonly SentStep[]) {
  const { person, project } = await newcomer(scene.server);
  const sent = await fetch(`${scene.server.url}/api/ingest/traces`, {
    method: 'POST',
    headers: {
      'x-api-key': project.apiKey,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify({ traces: [{ ...aTrace(), flow }] })),
  });
  expect(await sent.json()).toMatchObject({ accepted: 1 });
  const { traces } = await person.client.call(calls.list, { query: { projectId: project.id } });
  return { person, project, id: traces[0]?._id ?? '' };
}

/** Collects all pages of a search, one after the other. */
async function search(client: Person['client'], id: string, text: string): Promise<FoundSteps[]> {
  const answers: FoundSteps[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const answer: FoundSteps = await client.call(calls.findSteps, { params: { id }, query: { text, from } });
    expect(answer.next === null || answer.next > from).toBe(true);
    answers.push(answer);
    from = answer.next;
  }
  return answers;
}

const idsIn = (answers: readonly FoundSteps[]) =>
  answers.flatMap(({ hits }) => hits.map(({ stepId }) => stepId));

test('a step is found by its values, names, source position and error, regardless of case', async () => {
  const { person, id } = await store([
    step('input', { inputs: { items: [{ sku: 'SKU-88' }] } }),
    step('key', { variables: { localVariables: { shippingAddress: null } } }),
    step('escaped', { outputs: 'Grüße "an" alle\nLeute' }),
    step('number', { variables: { returnValue: 12.5 } }),
    step('form', { inputs: { $type: 'Map', size: 1, entries: [['country', 'UK']] } }),
    step('file', { filePath: 'src/tax.ts', lineNumber: 18 }),
    step('error', { error: { message: 'no Rate', name: 'TypeError' } }),
  ]);
  const found = async (text: string) => idsIn(await search(person.client, id, text));
  expect(await found('sku-88')).toEqual(['input']);
  expect(await found('SHIPPINGaddress')).toEqual(['key']);
  expect(await found('grÜße "an"')).toEqual(['escaped']);
  expect(await found('leute')).toEqual(['escaped']);
  expect(await found('12.5')).toEqual(['number']);
  expect(await found('country uk')).toEqual(['form']);
  expect(await found('src/tax.ts:18')).toEqual(['file']);
  expect(await found('rate typeerror')).toEqual(['error']);
  expect(await found('stepName')).toEqual([]);
  expect(await found('load')).toHaveLength(7);
  const [answer] = await search(person.client, id, 'load sku-88');
  expect(answer?.hits).toEqual([{ stepId: 'input', foundIn: ['inputs'] }]);
});

test.runIf(isThorough())(
  'the values of 30,000 steps are searched completely, a few megabytes per request',
  async () => {
    const steps = 30_000;
    const rare = [0, 12_345, steps - 1];
    const { person, id } = await store(
      Array.from({ length: steps }, (_step, index) =>
        step(`s${index}`, {
          inputs: {
            text: `${'x'.repeat(1000)}${index}`,
            ...(rare.includes(index) ? { sku: 'NEEDLE-1' } : {}),
          },
        }),
      ),
    );
    const answers = await search(person.client, id, 'needle-1');
    expect(answers.length).toBeGreaterThan(1);
    expect(idsIn(answers)).toEqual(rare.map((index) => `s${index}`));
    expect(answers.at(-1)).toMatchObject({ steps, searched: steps });
    const everything = await search(person.client, id, 'xxx');
    expect(new Set(idsIn(everything)).size).toBe(steps);
    for (const { hits } of everything) expect(hits.length).toBeLessThanOrEqual(6000);
  },
);

test.runIf(isThorough())('a search for steps also finds spans of OpenTelemetry', async () => {
  const { person, project } = await newcomer(scene.server);
  const HTTP = { 'http.request.method': 'GET', 'url.path': '/x', 'http.response.status_code': 200 };
  await sendSpans(
    scene.server,
    project.apiKey,
    otlpRequest('shop', [
      otlpSpan(1, undefined, { attributes: otlpAttributes(HTTP) }),
      otlpSpan(2, 1, { attributes: otlpAttributes({ tenant: 'acme-7' }) }),
      otlpSpan(3, 1, { attributes: otlpAttributes({ tenant: 'other' }) }),
    ]),
  );
  const { traces } = await person.client.call(calls.list, { query: { projectId: project.id } });
  const id = traces[0]?._id ?? '';
  const { trace } = await person.client.call(calls.read, { params: { id } });
  const [answer] = await search(person.client, id, 'ACME');
  expect(answer?.hits).toEqual([{ stepId: trace.flow[0]?.stepId, foundIn: ['metadata'] }]);
});

test('redacted values, and masked values in a public project, are not found', async () => {
  const { person, project, id } = await store([
    step('a', {
      stepName: 'select "zq9value"',
      functionName: 'chargeCard',
      inputs: { password: 'zq9secret', note: 'zq9value' },
      variables: { parameters: { order: 'zq9value' } },
      error: { message: 'zq9value' },
    }),
  ]);
  expect(idsIn(await search(person.client, id, 'zq9value'))).toEqual(['a']);
  expect(idsIn(await search(person.client, id, 'zq9secret'))).toEqual([]);
  expect(idsIn(await search(person.client, id, 'redacted'))).toEqual(['a']);
  const asPublicViewer = (text: string) => search(scene.server.anyone, id, text);
  expect(await refusal(asPublicViewer('chargecard'))).toMatchObject({ status: 401 });
  const stranger = await signUp(scene.server);
  expect(await refusal(search(stranger.client, id, 'chargecard'))).toMatchObject({ status: 404 });
  await person.client.call(routes.projects.update, { params: { id: project.id }, body: { public: true } });
  for (const client of [scene.server.anyone, stranger.client]) {
    expect(idsIn(await search(client, id, 'chargecard'))).toEqual(['a']);
    expect(idsIn(await search(client, id, 'order'))).toEqual(['a']);
    for (const hidden of ['zq9value', 'zq9secret', 'password', 'note', 'select'])
      expect(idsIn(await search(client, id, hidden)), hidden).toEqual([]);
  }
});

test('a search text without words is rejected', async () => {
  const { person, id } = await store([step('a')]);
  expect(await refusal(search(person.client, id, '  '))).toMatchObject({
    status: 400,
    code: 'validation_failed',
  });
});

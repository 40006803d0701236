import { MAX_REDACTION_RULES, routes } from '@throughline/contract';
import { aTrace, refusal, sendTraces } from '@throughline/testkit';
import { otlpAttributes, otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { newcomer, sceneOfEachTest } from '@throughline/testkit/scene';
import { pickRows } from '@throughline/testkit/thorough';
import { describe, expect, test } from 'vitest';

const calls = routes.projects;
const scene = sceneOfEachTest();

const rule = (redaction: { keys?: unknown; paths?: unknown }) =>
  scene.person.client.call(calls.update, {
    params: { id: scene.project.id },
    body: { redaction: { keys: [], paths: [], ...redaction } as { keys: string[]; paths: string[] } },
  });

/** Sends a trace and returns it as stored. */
async function stored(given: Parameters<typeof aTrace>[0] = {}) {
  await sendTraces(scene.server, scene.project.apiKey, [aTrace(given)]);
  return newest();
}
async function newest() {
  const [row] = await scene.list();
  return scene.read(row?._id ?? '');
}
const hidden = (of: string) => ({ $type: 'redacted', of });
const request = (body: object) => ({ method: 'POST', path: '/orders', body: { ...body } });

test('a project has no redaction rules until a user adds some', async () => {
  expect(scene.project.project.redaction).toEqual({ keys: [], paths: [] });
  const { request: shown } = await stored({ request: request({ customerRef: 'c-17', password: 'x' }) });
  expect(shown.body).toEqual({ customerRef: 'c-17', password: hidden('string') });
});

test('redaction rules apply only to traces that arrive while the rules exist', async () => {
  const sent = { request: request({ oldCustomerRef: 'c-17', items: [{ note: 'x', id: 1 }] }) };
  const before = await stored(sent);
  const { project: changed } = await rule({ keys: ['customerRef'], paths: ['request.body.items.*.note'] });
  expect(changed.redaction).toEqual({ keys: ['customerRef'], paths: ['request.body.items.*.note'] });
  const after = await stored(sent);
  expect(after.request.body).toEqual({
    oldCustomerRef: hidden('string'),
    items: [{ note: hidden('string'), id: 1 }],
  });
  expect((await scene.read(before._id)).request.body).toEqual(sent.request.body);
  await rule({});
  expect((await stored(sent)).request.body).toEqual(sent.request.body);
});

test('redaction rules apply to the values of steps and to attributes of spans', async () => {
  await rule({ keys: ['customerRef'], paths: ['variables.parameters.order.note'] });
  const flow = [
    {
      stepId: '1',
      stepName: 'charge',
      startTime: new Date().toISOString(),
      duration: 1,
      variables: { parameters: { order: { note: 'n', id: 1, customerRef: 'c' } } },
    },
  ];
  const [step] = (await stored({ flow })).flow;
  expect(step?.variables?.parameters).toEqual({
    order: { note: hidden('string'), id: 1, customerRef: hidden('string') },
  });
  const attributes = otlpAttributes({ customerRef: 'c-17', kept: 'k', 'http.request.method': 'GET' });
  await sendSpans(
    scene.server,
    scene.project.apiKey,
    otlpRequest('spans', [otlpSpan(1, undefined, { attributes })]),
  );
  const { traces } = await scene.person.client.call(routes.traces.list, { query: { service: 'spans' } });
  expect((await scene.read(traces[0]?._id ?? '')).attributes).toMatchObject({
    customerRef: hidden('string'),
    kept: 'k',
  });
});

test('a rule with a path also hides the bound values and rows of query steps, because they can be copies of the values at the path', async () => {
  const query = {
    stepId: '1',
    stepName: 'SELECT users',
    stepType: 'database' as const,
    startTime: new Date().toISOString(),
    duration: 1,
    inputs: { statement: 'SELECT email FROM users WHERE id = $1 AND name = $2', values: [7, null] },
    outputs: { rows: 1, firstRows: [{ email: 'ada@example.org' }] },
  };
  const [before] = (await stored({ flow: [query] })).flow;
  expect(before).toMatchObject({ inputs: query.inputs, outputs: query.outputs });
  await rule({ paths: ['outputs.email'] });
  const [after] = (await stored({ flow: [query] })).flow;
  expect(after?.inputs).toEqual({ ...query.inputs, values: [hidden('number'), null] });
  expect(after?.outputs).toEqual({ rows: 1 });
});

test('redaction rules of one project do not apply to another', async () => {
  await rule({ keys: ['customerRef'] });
  const { person: other, project: theirs } = await newcomer(scene.server);
  await sendTraces(scene.server, theirs.apiKey, [aTrace({ request: request({ customerRef: 'c' }) })]);
  const { traces } = await other.client.call(routes.traces.list, {});
  const { trace } = await other.client.call(routes.traces.read, { params: { id: traces[0]?._id ?? '' } });
  expect(trace.request.body).toEqual({ customerRef: 'c' });
  const change = { params: { id: scene.project.id }, body: { redaction: { keys: [], paths: [] } } };
  expect(await refusal(other.client.call(calls.update, change))).toMatchObject({ status: 404 });
  expect(
    (await scene.person.client.call(calls.read, { params: { id: scene.project.id } })).project.redaction.keys,
  ).toEqual(['customerRef']);
});

describe('invalid redaction rules are rejected with the field and the fix:', () => {
  const regex = (text: string) =>
    `“${text}” is not a name: keys are compared word by word, not as regular expressions. Write only the name, such as customerRef`;
  test.each(
    pickRows(
      [
        [{ keys: ['(a+)+$'] }, 'redaction.keys.0', regex('(a+)+$')],
        [{ keys: ['ok', '/card/i'] }, 'redaction.keys.1', regex('/card/i')],
        [{ keys: ['[unclosed'] }, 'redaction.keys.0', regex('[unclosed')],
        [{ keys: ['123'] }, 'redaction.keys.0', regex('123')],
        [{ keys: [''] }, 'redaction.keys.0', regex('')],
        [{ keys: [7] }, 'redaction.keys.0', 'a key must be a text'],
        [{ keys: ['x'.repeat(101)] }, 'redaction.keys.0', 'a key must be at most 100 characters long'],
        [{ keys: 'password' }, 'redaction.keys', 'redaction.keys must be a list of texts'],
        [
          { keys: Array.from({ length: MAX_REDACTION_RULES + 1 }, (_, place) => `key${place}`) },
          'redaction.keys',
          'redaction.keys must have at most 100 rules',
        ],
        [
          { paths: ['body.card'] },
          'redaction.paths.0',
          '“body.card” does not begin with a part of a trace. A path begins with request, response, user, attributes, inputs, outputs, variables, error, metadata',
        ],
        [
          { paths: ['request'] },
          'redaction.paths.0',
          '“request” is a whole part of a trace: name something in it, or write request.* for everything in it',
        ],
        [{ paths: ['request..x'] }, 'redaction.paths.0', '“request..x” has an empty part between its dots'],
        [
          { paths: ['request.body.car*'] },
          'redaction.paths.0',
          '“car*” in “request.body.car*”: * stands for any one name or position, never for a part of one',
        ],
        [
          { paths: [`request${'.a'.repeat(60)}`] },
          'redaction.paths.0',
          `“request${'.a'.repeat(26)}.…” has more than 50 parts`,
        ],
      ],
      { usually: 2 },
    ),
  )('%j', async (given, path, message) => {
    const error = await refusal(rule(given));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
    expect(error.details?.fields?.[0]).toEqual({ path, message });
  });

  test('a rule in the format of another setting', async () => {
    const body = { redaction: { patterns: ['a'] } } as never;
    const error = await refusal(
      scene.person.client.call(calls.update, { params: { id: scene.project.id }, body }),
    );
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
  });
});

test('redaction rules can have names in any script, are stored without duplicates, and do not prevent a trace from being stored if their number and size reach the maximum', async () => {
  const keys = ['Kundennummer', '顧客番号', ' customer-ref ', 'customer-ref'];
  expect((await rule({ keys })).project.redaction.keys).toEqual(['Kundennummer', '顧客番号', 'customer-ref']);
  const worst = {
    keys: Array.from({ length: MAX_REDACTION_RULES }, (_, place) => 'a'.repeat(97 - (place % 90)) + place),
    paths: Array.from({ length: MAX_REDACTION_RULES }, (_, place) => `request${'.*'.repeat(48)}.x${place}`),
  };
  await rule(worst);
  const deep = JSON.parse(`${'{"a":'.repeat(60)}"x"${'}'.repeat(60)}`);
  const many = Object.fromEntries(
    Array.from({ length: 5000 }, (_, place) => [`${'aA'.repeat(40)}${place}`, 'x']),
  );
  expect((await stored({ request: request({ deep, many }) })).request.body).toMatchObject({ deep });
});

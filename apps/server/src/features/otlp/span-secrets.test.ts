import { routes } from '@throughline/contract';
import { otlpRequest, otlpSpan, sendSpans } from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const scene = sceneOfEachTest();

const SECRET = 'Harbor4711!lantern';
const UPDATE = 'UPDATE users SET name = $1, password = $2 WHERE id = $3';

/** Attributes of a span that contain a secret, as instrumentations of OpenTelemetry send them. */
const ATTRIBUTES = {
  'parameters by number': {
    'db.system.name': 'postgresql',
    'db.query.text': UPDATE,
    'db.query.parameter.0': 'ada-plain',
    'db.query.parameter.1': SECRET,
    'db.query.parameter.2': '7',
  },
  'parameters by number, beside an old statement': {
    'db.system': 'postgresql',
    'db.statement': UPDATE,
    'db.query.parameter.0': 'ada-plain',
    'db.query.parameter.1': SECRET,
  },
  'a parameter by name': {
    'db.system.name': 'mysql',
    'db.query.text': 'SELECT 1 FROM users WHERE token = :t',
    'db.query.parameter.t': SECRET,
    'db.query.parameter.name': 'ada-plain',
  },
  'a list of values': {
    'db.statement': UPDATE,
    'db.postgresql.values': ['ada-plain', SECRET, '7'],
  },
  'variables of GraphQL': {
    'graphql.document': 'mutation L($p: String!) { login(password: $p) { id } }',
    'graphql.variables.p': SECRET,
    'graphql.operation.name': 'ada-plain',
  },
  'a header': { 'http.request.header.x-api-key': [SECRET], 'app.note': 'ada-plain' },
  'metadata of a call': { 'rpc.grpc.request.metadata.authorization': SECRET, 'app.note': 'ada-plain' },
  'a header of a message': { 'messaging.header.x_auth_token': SECRET, 'app.note': 'ada-plain' },
};

function encode(attributes: Readonly<Record<string, string | readonly string[]>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === 'string'
        ? { stringValue: value }
        : { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } },
  }));
}

async function readTraces(): Promise<string> {
  const answer = await scene.person.client.open(routes.traces.export, { query: {} });
  return answer.text();
}

describe('a secret in attributes of a span', () => {
  test.each(Object.entries(ATTRIBUTES))('is redacted in %s', async (_form, attributes) => {
    await sendSpans(
      scene.server,
      scene.project.apiKey,
      otlpRequest('shop', [
        otlpSpan(1, undefined),
        otlpSpan(2, 1, { name: 'call', kind: 3, attributes: encode(attributes) }),
      ]),
    );
    const text = await readTraces();
    expect(text).toContain('ada-plain');
    expect(text).not.toContain(SECRET);
  });
});

test('a secret that is recognized by the name of its attribute is redacted in all other spans of the trace, too', async () => {
  const { server, project } = scene;
  const note = (id: number, attributes: Readonly<Record<string, string>>) =>
    otlpSpan(id, 1, { name: 'call', kind: 3, attributes: encode(attributes) });
  const names = note(2, { 'user.password': SECRET });
  const repeats = note(3, { 'app.note': `ada-plain sent ${SECRET} to the bank` });
  await sendSpans(server, project.apiKey, otlpRequest('shop', [otlpSpan(1, undefined), names, repeats]));
  const text = await readTraces();
  expect(text).toContain('ada-plain sent');
  expect(text).not.toContain(SECRET);
});

import { routes } from '@throughline/contract';
import { isCardNumber } from '@throughline/contract/redaction';
import {
  makeOrganization,
  makeProject,
  type Person,
  postBody,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import { repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let person: Person;
let project: TestProject;
beforeAll(async () => {
  server = await startServer();
  // The test uses an organization, so that the quota suffices while fast-check shrinks a counterexample.
  ({ owner: person } = await makeOrganization(server));
  project = await makeProject(person);
});
afterAll(() => server.stop());

/** Strings that are never taken for a secret, with lone surrogates, NUL, tabs, line ends and backslashes. */
const text = fc.string({
  unit: fc.constantFrom(
    'a',
    'é',
    '中',
    '😀',
    '\ud83d',
    '\ude00',
    '\0',
    '\t',
    '\n',
    '\r',
    '\\',
    '"',
    "'",
    '\u2028',
    '/',
  ),
});
const key = fc.oneof(
  text,
  fc.constantFrom('__proto__', 'constructor', 'toString', '', 'toJSON', 'rawJSON', 'then', '$ref'),
);
const numbers = fc
  .oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -1000, max: 1000 }))
  // Some doubles look like card numbers, which the server would redact.
  .filter((number) => !isCardNumber(String(number)));

/** Generates values as JSON text, so that the test knows exactly which characters it sends. */
const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text.map((string) => JSON.stringify(string)),
    numbers.map((number) => (Object.is(number, -0) ? '-0' : String(JSON.stringify(number)))),
    fc.constantFrom('null', 'true', 'false', '123456789012345678901', '0.1000000000000000055', '[]', '{}'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(key, tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map(
        (members) => `{${members.map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}`,
      ),
  ),
})).value;

const record = fc
  .uniqueArray(fc.tuple(key, value), { maxLength: 4, selector: ([name]) => name })
  .map((members) => `{${members.map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(',')}}`);

const step = fc.record({
  inputs: value,
  outputs: value,
  localVariables: value,
  metadata: value,
  cause: value,
});
const trace = fc.record({
  headers: record,
  query: value,
  body: value,
  answerHeaders: record,
  answerBody: value,
  attributes: record,
  steps: fc.array(step, { maxLength: 4 }),
});
type Sent = typeof trace extends fc.Arbitrary<infer T> ? T : never;

const START = new Date().toISOString();

function encodeJson(sent: Sent, id: string): string {
  const flow = sent.steps.map(
    (one, index) =>
      `{"stepId":"${index}","stepName":"s","startTime":"${START}","duration":1,"inputs":${one.inputs},"outputs":${one.outputs},"variables":{"capturedAt":"exit","localVariables":${one.localVariables}},"metadata":${one.metadata},"error":{"message":"no","cause":${one.cause}}}`,
  );
  return `{"_id":"${id}","request":{"method":"GET","path":"/","headers":${sent.headers},"query":${sent.query},"body":${sent.body}},"response":{"statusCode":200,"headers":${sent.answerHeaders},"body":${sent.answerBody}},"timing":{"startTime":"${START}","duration":1},"attributes":${sent.attributes},"flow":[${flow.join(',')}]}`;
}

/**
 * Returns JSON in which every number is a string in its original notation, and every object is a list of its members sorted by name,
 * because JavaScript moves names that look like numbers to the front of an object.
 */
function canonical(json: string): string {
  const spelled = json.replace(
    /("(?:[^"\\]|\\.)*")|-?\d[\d.eE+-]*/g,
    (token, string: string | undefined) => string ?? `"number ${token}"`,
  );
  return JSON.stringify(
    JSON.parse(spelled, (_key, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))
        : part,
    ),
  );
}

let made = 0;
test('values of any kind are returned exactly as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(trace, { minLength: 10, maxLength: 10 }), async (traces) => {
      const sent = traces.map((one) => {
        made += 1;
        const id = `01973000-0000-7000-8000-${String(made).padStart(12, '0')}`;
        return { one, id };
      });
      const reply = await postBody(
        server,
        project.apiKey,
        `{"traces":[${sent.map(({ one, id }) => encodeJson(one, id)).join(',')}]}`,
      );
      expect(reply.body).toEqual({ accepted: 10, rejected: [] });
      for (const { one, id } of sent) {
        const answer = await person.client.open(routes.traces.read, { params: { id } });
        const json = await answer.text();
        expect(routes.traces.read.answer.safeParse(JSON.parse(json)).error).toBeUndefined();
        const read = listMembers(json);
        expectMember(read.request, 'headers', one.headers);
        expectMember(read.request, 'query', one.query);
        expectMember(read.request, 'body', one.body);
        expectMember(read.response, 'headers', one.answerHeaders);
        expectMember(read.response, 'body', one.answerBody);
        expect(read.attributes).toBe(canonical(one.attributes));
        expect(read.flow).toHaveLength(one.steps.length);
        for (const [index, given] of one.steps.entries()) {
          for (const name of ['inputs', 'outputs', 'localVariables', 'metadata', 'cause'] as const) {
            expectMember(read.flow[index] ?? '', name, given[name]);
          }
        }
      }
    }),
    { numRuns: repetitions({ usually: 2, thoroughly: 100 }) },
  );
}, 600_000);

function expectMember(canonicalText: string, name: string, json: string): void {
  expect(canonicalText).toContain(canonical(`{${JSON.stringify(name)}:${json}}`).slice(1, -1));
}

/** Returns a trace's parts in canonical JSON. */
function listMembers(json: string) {
  const entries = new Map<string, unknown>(JSON.parse(canonical(json))[0][1]);
  const part = (name: string) => JSON.stringify(entries.get(name));
  const flow = entries.get('flow');
  return {
    request: part('request'),
    response: part('response'),
    attributes: part('attributes'),
    flow: Array.isArray(flow) ? flow.map((one) => JSON.stringify(one)) : [],
  };
}

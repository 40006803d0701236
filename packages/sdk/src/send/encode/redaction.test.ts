import { Redactor } from '@throughline/contract/redaction';
import { describe, expect, it } from 'vitest';
import type { FinishedTrace, WireTrace } from './wire.ts';
import { writeTrace } from './write-trace.ts';

const startMicros = Date.UTC(2026, 10, 21, 10) * 1000;
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl';
const secret = 'hunter2';

/** A trace that contains the secret in every position in which a value can be. */
const trace: FinishedTrace = {
  _id: '1',
  traceId: '2',
  spanId: '3',
  request: {
    method: 'POST',
    path: `/reset/${jwt}`,
    route: '/reset/:token',
    url: `http://ann:${secret}@host/reset?token=${secret}&page=2`,
    headers: {
      authorization: `Bearer ${secret}`,
      cookie: `a=${secret}`,
      host: 'host',
      'x-api-key': [secret],
    },
    query: { token: secret, page: '2' },
    body: { $type: 'string', value: `{"password":"${secret}"}`, length: 900 },
    userAgent: `curl ${jwt}`,
  },
  response: { statusCode: 200, headers: { 'set-cookie': [secret] }, body: { session: secret, ok: true } },
  timing: { startTime: '2026-11-21T10:00:00.000000Z', duration: 1 },
  performance: { memoryUsage: { heapUsed: 1 }, cpuUsage: 0, eventLoopDelay: 0 },
  error: { hasError: true, errorMessage: `cannot reach db://u:${secret}@h`, errorCode: 'E' },
  user: { id: '17', token: secret },
  attributes: { apiKey: secret },
  flow: [
    {
      stepId: '1',
      parentStepId: null,
      sequence: 0,
      stepName: `GET http://u:${secret}@h`,
      stepType: 'function',
      startMicros,
      endMicros: startMicros,
      durationMs: 1,
      inputs: { password: secret, name: 'Ann' },
      outputs: { token: secret },
      variables: {
        capturedAt: 'throw',
        parameters: { password: secret, $type: 'Date' },
        localVariables: { accessToken: secret, count: 2 },
        returnValue: { secret },
        thisContext: { $type: 'object', class: 'Auth', properties: { pin: secret } },
      },
      error: {
        message: `bad ?token=${secret}`,
        stack: `Error: bad ?token=${secret}\n    at f`,
        name: 'Error',
      },
      metadata: { sql: 'select 1', connection: { password: secret } },
    },
  ],
  secrets: new Set(),
  writer: null,
  dropped: { steps: 0, values: 0, bytes: 0 },
};

function redactTrace(one: FinishedTrace, redactor: Redactor): WireTrace {
  return JSON.parse(writeTrace({ ...one, secrets: new Set() }, redactor).toString());
}

describe('a trace', () => {
  it('shows a value at each of its positions if the value occurs several times in a step', () => {
    const order = { id: 1, note: 'to "the" door' };
    const hidden = { id: 2, password: secret };
    const [step] = trace.flow;
    if (step === undefined) throw new Error('the trace has a step');
    const flow = [order, hidden, null, 'text', [order]].map((outputs) => ({
      ...step,
      outputs,
      variables: {
        capturedAt: 'exit' as const,
        parameters: { order: outputs, 'a "quoted" name': 1 },
        localVariables: { before: 1, same: outputs, after: order },
        returnValue: outputs,
        thisContext: { of: 'all' },
      },
    }));
    const shown = redactTrace({ ...trace, flow }, new Redactor()).flow;
    const clean = { id: 2, password: { $type: 'redacted', of: 'string' } };
    const expected = [order, clean, null, 'text', [order]];
    expect(shown.map((one) => one.outputs)).toEqual(expected);
    expect(shown.map((one) => one.variables)).toEqual(
      expected.map((value) => ({
        capturedAt: 'exit',
        parameters: { order: value, 'a "quoted" name': 1 },
        localVariables: { before: 1, same: value, after: order },
        returnValue: value,
        thisContext: { of: 'all' },
      })),
    );
  });

  it.each([
    ['name', { stepName: `GET http://u:${secret}@h` }],
    ['function name', { functionName: `token=${secret}` }],
    [
      'error',
      { error: { message: `bad ?token=${secret}`, stack: `Error: ?token=${secret}`, name: 'Error' } },
    ],
    ['metadata', { metadata: { connection: { password: secret } } }],
  ])('shows no secret in the %s of a step without captured values', (_field, fields) => {
    const step = {
      stepId: '1',
      parentStepId: null,
      sequence: 0,
      stepName: 'load',
      stepType: 'function' as const,
    };
    const times = { startMicros, endMicros: startMicros, durationMs: 1 };
    const clean = { ...trace, request: { method: 'GET', path: '/' }, response: { statusCode: 200 } };
    const { user: _user, attributes: _attributes, ...head } = clean;
    const one = {
      ...head,
      error: { hasError: false, errorMessage: null, errorCode: null },
      flow: [{ ...step, ...times, ...fields }],
    };
    const json = JSON.stringify(redactTrace(one, new Redactor()));
    expect(json).toContain('"stepId":"1"');
    expect(json).not.toContain(secret);
  });

  it('hides the name and the function name of each step, with or without values, if the redaction paths list these fields', () => {
    const [step] = trace.flow;
    if (step === undefined) throw new Error('the trace has a step');
    const named = { ...step, stepName: 'chargeAnn', functionName: 'chargeAnn' };
    const { inputs: _inputs, outputs: _outputs, variables: _variables, ...empty } = named;
    const redactor = new Redactor({ paths: ['stepName', 'functionName'] });
    const shown = redactTrace({ ...trace, flow: [named, empty] }, redactor).flow;
    expect(shown.map(({ stepName, functionName }) => [stepName, functionName])).toEqual([
      ['‹redacted›', '‹redacted›'],
      ['‹redacted›', '‹redacted›'],
    ]);
  });

  it('shows no part of a secret key if the length limit of a step name cuts the key in two', () => {
    const key = 'ghp_Kq7Lm2Np9Rs4Tv6Wx8Yz1Ab3Cd5Ef7Gh9Jk2';
    const [step] = trace.flow;
    if (step === undefined) throw new Error('the trace has a step');
    const stepName = `${'note '.repeat(1997)}${key} ${'more '.repeat(300)}`;
    const [shown] = redactTrace({ ...trace, flow: [{ ...step, stepName }] }, new Redactor()).flow;
    expect(shown?.stepName).toMatch(/note ‹redacted›…$/);
    expect(shown?.stepName).not.toContain('ghp_');
  });

  it('leaves the process without secrets and with all other data', () => {
    const before = JSON.stringify(trace);
    const shown = redactTrace(trace, new Redactor());
    const json = JSON.stringify(shown);
    expect(json).not.toContain(secret);
    expect(json).not.toContain(jwt);
    expect(JSON.stringify(trace)).toBe(before);
    expect(shown).toMatchObject({
      request: {
        method: 'POST',
        path: '/reset/‹redacted›',
        route: '/reset/:token',
        url: 'http://‹redacted›@host/reset?token=‹redacted›&page=2',
        headers: { host: 'host', authorization: { $type: 'redacted', of: 'string' } },
        query: { page: '2' },
      },
      response: { statusCode: 200, body: { ok: true } },
      user: { id: '17' },
      flow: [
        {
          inputs: { name: 'Ann' },
          variables: { parameters: { $type: 'Date' }, localVariables: { count: 2 } },
          metadata: { sql: 'select 1' },
        },
      ],
    });
  });

  it('hides a secret at every place, even where no name marks the value as a secret', () => {
    const [step] = trace.flow;
    if (step === undefined) throw new Error('there is a step');
    const login = { ...step, inputs: { email: 'ann@example.com', password: 'correct-horse' } };
    const hash = {
      ...step,
      inputs: { text: 'correct-horse', rounds: 10, kind: 'visa' },
      outputs: ['salt', 'correct-horse', { $type: 'string' as const, value: 'x correct-horse', length: 400 }],
      variables: undefined,
      error: { message: 'cannot hash "correct-horse"', name: 'HashError' },
    };
    const body = { password: 'correct-horse', cardType: 'visa', pin: 'abc' };
    const [, shown] = redactTrace(
      { ...trace, request: { ...trace.request, body }, flow: [login, hash] },
      new Redactor(),
    ).flow;
    const hidden = { $type: 'redacted', of: 'string' };
    expect(shown).toMatchObject({
      inputs: { text: hidden, rounds: 10, kind: 'visa' },
      outputs: ['salt', hidden, { value: 'x ‹redacted›' }],
      error: { message: 'cannot hash "‹redacted›"' },
    });
  });

  it.each(['пароль-ключ', 'geheim-ÄÖÜß', 'p"q"r"s"t'])(
    'hides the secret %s in a step in which no name marks the value as a secret',
    (password) => {
      const [step] = trace.flow;
      if (step === undefined) throw new Error('there is a step');
      const clean = { ...step, outputs: undefined, variables: undefined, error: undefined };
      const login = { ...clean, inputs: { password } };
      const hash = { ...clean, inputs: { text: password, note: `hashing ${password} for ann` } };
      const [, shown] = redactTrace({ ...trace, flow: [login, hash] }, new Redactor()).flow;
      expect(shown?.inputs).toEqual({
        text: { $type: 'redacted', of: 'string' },
        note: 'hashing ‹redacted› for ann',
      });
    },
  );

  it('does not hide a value that was a secret only in the previous trace', () => {
    const redactor = new Redactor();
    redactTrace({ ...trace, attributes: { token: 'correct-horse' } }, redactor);
    expect(redactTrace({ ...trace, attributes: { text: 'correct-horse' } }, redactor).attributes).toEqual({
      text: 'correct-horse',
    });
  });

  it('hides secrets both in the return value and in the output of a step; a path hides only the field that the path names', () => {
    const value = { token: secret, a: 1 };
    const [step] = trace.flow;
    const variables = { capturedAt: 'exit' as const, parameters: {}, localVariables: {}, returnValue: value };
    const returned = { ...trace, flow: step ? [{ ...step, outputs: value, variables }] : [] };
    const hidden = { token: { $type: 'redacted', of: 'string' }, a: 1 };
    const by = (paths: string[]) => redactTrace(returned, new Redactor({ paths })).flow[0];
    expect(by([])).toMatchObject({ outputs: hidden, variables: { returnValue: hidden } });
    expect(by(['outputs.a'])).toMatchObject({
      outputs: { a: { $type: 'redacted' } },
      variables: { returnValue: hidden },
    });
  });

  it("applies each of the project's own rules to the path that the rule names", () => {
    const rules = {
      keys: ['page'],
      paths: ['variables.localVariables.count', 'request.headers.*', 'user.id'],
    };
    const hidden = (of: string) => ({ $type: 'redacted', of });
    expect(redactTrace(trace, new Redactor(rules))).toMatchObject({
      request: { headers: { host: hidden('string') }, query: { page: hidden('string') } },
      // The server accepts only text as an id.
      user: { id: '‹redacted›' },
      flow: [{ variables: { localVariables: { count: hidden('number') } } }],
    });
  });
});

it('secrets in headers and bodies are redacted in the values of steps, even if the headers and bodies are omitted', () => {
  const [step] = trace.flow;
  if (step === undefined) throw new Error('there is no step');
  const secrets = ['only-in-the-header-4711', 'only-in-the-body-4711'] as const;
  const request = {
    method: 'POST',
    path: '/login',
    headers: { authorization: `Bearer ${secrets[0]}` },
    body: { password: secrets[1] },
  };
  const flow = [{ ...step, inputs: { notes: [...secrets] }, outputs: undefined, variables: undefined }];
  const left = { ...trace, request, flow, leavesOutMessages: true, secrets: new Set<string>() };
  const json = Buffer.from(writeTrace(left, new Redactor())).toString();
  for (const secret of secrets) expect(json).not.toContain(secret);
  const written: WireTrace = JSON.parse(json);
  const mark = { $type: 'cut', of: 'body', reason: 'budget' };
  expect(written.request).toEqual({ method: 'POST', path: '/login', headers: {}, body: mark });
  expect(written.response).toEqual({ statusCode: 200, headers: {}, body: mark });
});

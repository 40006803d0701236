import { Redactor } from '@throughline/contract/redaction';
import type { CapturedValue } from '@throughline/contract/values';
import { generateSecrets, placeInTrace } from '@throughline/testkit/secrets';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CAPTURED } from './captured-step.ts';
import { NotReadable } from './json-number.ts';
import { getFields, getMember } from './sent-values.ts';
import { type BodyParts, splitBody } from './split-body.ts';

const redactor = new Redactor({ keys: ['customerRef'] });
const plainRedactor = new Redactor();

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'é', '😀', '\ud83d', '\0', '\n', '\\', '"', '4', ' ', ':') }),
  fc.constantFrom(
    'Bearer abcdef012345',
    '4111111111111111',
    '4111 1111 1111 1111',
    'https://ann:pw@example.com/',
    '{"pin":"1234"}',
    '2026-01-01T00:00:00.000Z',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  ),
);
const name = fc.oneof(
  text,
  fc.constantFrom(
    'password',
    'card',
    'customerRef',
    'entries',
    'rawHeaders',
    '$type',
    '__proto__',
    'inputs',
    'flow',
    'properties',
    'path',
    'Name',
    'Value',
  ),
);
const form = fc.constantFrom<CapturedValue>(
  { $type: 'redacted', of: 'string' },
  { $type: 'Buffer', size: 8, base64: Buffer.from('pin=1234;token=abc').toString('base64') },
  { $type: 'Map', size: 1, entries: [['password', 'hunter2']] },
  { $type: 'string', value: 'number 41111111111', length: 900 },
  { $type: 'undefined' },
  { $type: 'Date', value: '2026-01-01T00:00:00.000Z' },
);
const named = fc.constantFrom<CapturedValue>(
  { Name: 'DB_PASS', Value: 'hunter2' },
  { path: '/prod/db/password', value: 'hunter2' },
  { path: '/orders/7', value: 'hunter2' },
);
const { value } = fc.letrec<{ value: CapturedValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    form,
    named,
    fc.constantFrom<CapturedValue>(null, true, -0.5, 1e21, 4111111111111111, 17),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const step = fc.oneof(
  fc.record(
    {
      stepId: text,
      inputs: value,
      outputs: value,
      variables: fc.oneof(fc.dictionary(name, value, { maxKeys: 3 }), value),
      metadata: value,
    },
    { requiredKeys: [] },
  ),
  value,
);
const trace = fc.oneof(
  fc.record(
    { request: value, inputs: value, flow: fc.oneof(fc.array(step, { maxLength: 4 }), value) },
    { requiredKeys: [] },
  ),
  value,
);
const body = fc.oneof(
  fc.record(
    { sdk: value, inputs: value, traces: fc.oneof(fc.array(trace, { maxLength: 4 }), value) },
    { requiredKeys: [] },
  ),
  value,
);

/** Splits a body into parts; undefined if it is not JSON. */
function split(json: string, by = redactor): BodyParts | undefined {
  try {
    return splitBody(Buffer.from(json), by);
  } catch (error) {
    if (error instanceof NotReadable) return undefined;
    throw error;
  }
}

function putTogether({ traces }: BodyParts): unknown {
  if (traces === undefined) return undefined;
  return Array.from({ length: traces.count }, (_one, at) => {
    const parsed: unknown = JSON.parse(traces.jsonOf(at));
    const flow = getMember(parsed, 'flow');
    if (!Array.isArray(flow)) return parsed;
    for (const [place, one] of flow.entries()) {
      const json = traces.capturedOf(at, place)?.json ?? '';
      if (json !== '') Object.assign(Object(one), JSON.parse(json));
    }
    return parsed;
  });
}

/** Returns those members of a parsed body that the server reads. */
function readMembers(parsed: unknown) {
  const traces = getMember(parsed, 'traces');
  const envelope = Object.fromEntries(
    ['sdk', 'service'].flatMap((key) => {
      const member = getMember(parsed, key);
      return member === undefined ? [] : [[key, member]];
    }),
  );
  return { envelope, traces: Array.isArray(traces) ? traces : undefined };
}

function findAllCaptured(flow: readonly unknown[]) {
  const traces = split(JSON.stringify({ traces: [{ flow }] }))?.traces;
  return { of: (trace: number, step: number) => traces?.capturedOf(trace, step) };
}

/** Writes a string as JSON, each character as a Unicode escape. */
const escaped = (given: string) =>
  `"${given.replace(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;

describe('the captured values of a body', () => {
  test('are found exactly, whatever the content of values and names and the format of the body', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(undefined, 1, '\t'), (sent, indent) => {
        const json = JSON.stringify(sent, undefined, indent);
        const found = splitBody(Buffer.from(json), redactor);
        const { envelope, traces } = readMembers(JSON.parse(json));
        expect(JSON.parse(found.envelope)).toEqual(envelope);
        expect(putTogether(found)).toEqual(traces);
      }),
      { numRuns: 500 },
    );
  });

  test('are found in bodies in the form that the SDK sends', () => {
    fc.assert(
      fc.property(fc.array(fc.array(value, { maxLength: 3 }), { maxLength: 3 }), (flows) => {
        const traces = flows.map((flow) => ({ flow: flow.map((inputs) => ({ stepName: 'a', inputs })) }));
        const found = split(JSON.stringify({ traces }))?.traces;
        for (const [at, flow] of flows.entries()) {
          for (const [place, inputs] of flow.entries()) {
            expect(found?.capturedOf(at, place)?.json).toBe(JSON.stringify({ inputs }));
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('are stored unchanged only if the redactor does not change them and the JSON has no white space', () => {
    let asTheyStand = 0;
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 1), (inputs, indent) => {
        const json = JSON.stringify({ traces: [{ flow: [{ inputs }] }] }, undefined, indent);
        const captured = split(json)?.traces?.capturedOf(0, 0);
        if (!captured?.asItStands) return;
        asTheyStand += 1;
        const fields = getFields({ captured: JSON.parse(captured.json) }, 'captured');
        expect(redactor.fields(fields ?? {})).toBe(fields);
        expect(captured.json).toBe(JSON.stringify({ inputs }));
      }),
      { numRuns: 2000 },
    );
    expect(asTheyStand).toBeGreaterThan(200);
  });

  test.each([
    [
      'a date, a statement of SQL, a hidden password',
      {
        at: { $type: 'Date', value: '2026-01-01T00:00:00.000Z' },
        sql: 'a = 1',
        password: { $type: 'redacted', of: 'string' },
        token: null,
      },
      true,
    ],
    ['a password', { password: 'hunter2' }, false],
    ['a number that is a card', { n: 4111111111111111 }, false],
    ['a name that the project hides', { customerRef: 'x' }, false],
    ['bytes', { $type: 'Buffer', size: 1, base64: 'AA==' }, false],
    ['a label of a secret', [{ label: 'Password', content: 'zx81-spectrum' }], false],
    ['an id of a field', [{ id: 'password', value: 'zx81-spectrum' }], false],
    ['columns as objects', [{ cols: [{ id: 'password' }], rows: [['zx81-spectrum']] }], false],
    ['a statement', ['UPDATE u SET token = ? WHERE id = ?', ['zx81-spectrum', 7]], false],
    ['a template', [['INSERT INTO u (id, password) VALUES (', ', ', ')'], 7, 'zx81-spectrum'], false],
    ['a template with a later name', [['UPDATE u SET name = ', ', token = ', ''], 'ada', 'zx81'], false],
    ['a pair', [['password', 'zx81-spectrum']], false],
    ['an option of a command', ['mysql', '-p', 'zx81-spectrum'], false],
    ['a pair of names', { name: 'password', value: 'zx81-spectrum' }, false],
    ['a label of something else', [{ label: 'Keyboard', content: 'zx81-spectrum', id: 'o-1' }], true],
    ['a statement without secrets', ['UPDATE u SET author = ? WHERE id = ?', ['zx81-spectrum', 7]], true],
  ])('are either stored as sent or first read by the redactor: %s', (_what, inputs, asItStands) => {
    expect(findAllCaptured([{ inputs }]).of(0, 0)?.asItStands).toBe(asItStands);
  });

  test.each([
    ['a name', `{${escaped('password')}:"zx81-spectrum"}`],
    ['the name in a pair', `[[${escaped('password')},"zx81-spectrum"]]`],
    ['the label', `[{"label":${escaped('Password')},"content":"zx81-spectrum"}]`],
    ['a text', escaped('password=zx81-spectrum')],
    ['a key', escaped('ghp_16C7e42F292c6912E7710c838347Ae178B4a')],
    ['a card number', escaped('4111 1111 1111 1111')],
    ['a statement', `[${escaped('UPDATE u SET token = ? WHERE id = ?')},["zx81-spectrum",7]]`],
    ['an option', `["mysql",${escaped('--password')},"zx81-spectrum"]`],
  ])('are read by the redactor if %s is written with Unicode escapes', (_what, inputs) => {
    const found = split(`{"traces":[{"flow":[{"inputs":${inputs}}]}]}`);
    expect(found?.traces?.capturedOf(0, 0)?.asItStands).toBe(false);
  });

  test('are read by the redactor if they contain a generated secret of any known format', () => {
    const items = generateSecrets(3, 600);
    const [unread, read] = [new Set<string>(), new Set<string>()];
    for (const item of items) {
      const json = JSON.stringify(placeInTrace(item));
      const traces = splitBody(Buffer.from(json), plainRedactor).traces;
      const captured = traces?.capturedOf(0, 0);
      if (captured === undefined) continue;
      const fields = getFields({ captured: JSON.parse(captured.json) }, 'captured') ?? {};
      // Secrets that can be recognized only by another part of the trace are hidden later, when the whole trace is redacted.
      if (plainRedactor.fields(fields) === fields) continue;
      (captured.asItStands ? unread : read).add(`${item.form}, in ${item.where}`);
    }
    expect([...unread]).toEqual([]);
    expect(read.size).toBeGreaterThan(100);
  });

  test('are not mistaken for redacted values if an object has two $type members', () => {
    const inputs = '{"password":{"$type":"redacted","of":"string","$type":"Date","value":"hunter2"}}';
    const found = split(`{"traces":[{"flow":[{"inputs":${inputs}}]}]}`);
    expect(found?.traces?.capturedOf(0, 0)).toEqual({ json: `{"inputs":${inputs}}`, asItStands: false });
  });

  test('are recognized when they repeat, and are distinguished from values that only begin with the same characters', () => {
    const alike = value.map(
      (v): CapturedValue => ({ reference: 'as long as those of orders are', v, end: 'z' }),
    );
    const pool = fc.array(alike, { minLength: 1, maxLength: 3 });
    const picks = fc.array(fc.tuple(fc.nat(), fc.nat(2), fc.nat(), fc.boolean()), { maxLength: 8 });
    const standing = new Set<boolean>();
    fc.assert(
      fc.property(pool, picks, (values, steps) => {
        const pick = (number: number) => values[number % values.length] ?? null;
        const flow = steps.map(([first, form, second, turned]) => {
          const inputs = [pick(first), { order: pick(first) }, [[pick(second), pick(first)]]][form] ?? null;
          const variables = { parameters: inputs, returnValue: pick(second) };
          return turned ? { variables, inputs } : { inputs, outputs: pick(second), variables };
        });
        const stand = values.map((one) => findAllCaptured([{ inputs: one }]).of(0, 0)?.asItStands);
        const captured = findAllCaptured(flow);
        for (const [place, { variables, ...others }] of flow.entries()) {
          const [first = 0, , second = 0] = steps[place] ?? [];
          const asItStands = [first, second].every((number) => stand[number % stand.length] === true);
          standing.add(asItStands);
          const json = JSON.stringify({ ...others, variables });
          expect(captured.of(0, place)).toEqual({ json, asItStands });
        }
      }),
      { numRuns: 300 },
    );
    expect(standing).toEqual(new Set([true, false]));
  });

  test("are not split off from the body's JSON if redaction rules use paths or hide all captured values", () => {
    const json = '{"traces":[{"flow":[{"inputs":1}]}]}';
    const rules = [{ paths: ['inputs.a'] }, ...CAPTURED.map((key) => ({ keys: [key] }))];
    for (const rule of rules) {
      const traces = split(json, new Redactor(rule))?.traces;
      expect(traces?.capturedOf(0, 0)).toBeUndefined();
      expect(traces?.jsonOf(0)).toBe('{"flow":[{"inputs":1}]}');
    }
  });
});

test('a body is rejected as invalid JSON exactly if JSON.parse rejects it', () => {
  const json = JSON.stringify({
    traces: [{ flow: [{ stepId: 'é', inputs: { a: [1.5e3, 'x\\"\n', true, null] }, variables: {} }, {}] }],
  });
  const tryParse = (parse: () => unknown) => {
    try {
      return parse();
    } catch {
      return undefined;
    }
  };
  fc.assert(
    fc.property(
      fc.nat(json.length - 1),
      fc.nat(3),
      fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0 \n-+.eE9tn\u0007'), maxLength: 4 }),
      (at, gone, added) => {
        const spoilt = json.slice(0, at) + added + json.slice(at + gone);
        const found = split(spoilt);
        const traces = found && tryParse(() => putTogether(found));
        const { traces: expected } = readMembers(tryParse(() => JSON.parse(spoilt)));
        expect(traces).toEqual(expected);
      },
    ),
    { numRuns: 5000 },
  );
});

test.each([
  [
    'names that are written with escapes',
    '{"\\u0074races":[{"f\\u006cow":[{"\\u0069nputs":[1]}]}]}',
    '{"inputs":[1]}',
  ],
  ['a mark of the byte order', '\ufeff{"traces":[{"flow":[{"inputs":[1]}]}]}', '{"inputs":[1]}'],
  [
    'members that stand twice',
    '{"traces":1,"traces":[{"flow":[],"flow":[{"inputs":1,"inputs":2}]}]}',
    '{"inputs":2}',
  ],
  ['values 400 deep', `{"traces":[{"flow":[{"inputs":${'['.repeat(400)}${']'.repeat(400)}}]}]}`, undefined],
])('a body with %s is read like any other', (_what, json, captured) => {
  const found = splitBody(Buffer.from(json), redactor);
  expect(putTogether(found)).toEqual(readMembers(JSON.parse(json.replace('\ufeff', ''))).traces);
  if (captured !== undefined) expect(found.traces?.capturedOf(0, 0)?.json).toBe(captured);
});

import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { routes } from '@throughline/contract';
import {
  makeProject,
  type Person,
  signUp,
  startServer,
  type TestProject,
  type TestServer,
} from '@throughline/testkit';
import {
  JSON_TYPE,
  OTLP_START,
  type OtlpAttribute,
  type OtlpBody,
  type OtlpValue,
  otlpProtobuf,
  otlpRequest,
  otlpSpan,
  PROTOBUF_TYPE,
  postSpans,
} from '@throughline/testkit/otlp';
import { isThorough, pickRows, repetitions } from '@throughline/testkit/thorough';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let person: Person;
let project: TestProject;
beforeAll(async () => {
  server = await startServer();
  person = await signUp(server);
  project = await makeProject(person);
});
afterAll(() => server.stop());

const post = (body: OtlpBody, headers?: Readonly<Record<string, string>>) =>
  postSpans(server, project.apiKey, body, headers);

let traces = 0;
/** Sends a root span with a child span that has the attributes. Returns the child as a step. */
async function stored(attributes: readonly { key: string; value: OtlpValue }[], as: 'protobuf' | 'json') {
  traces += 1;
  const traceId = traces.toString(16).padStart(32, 'a');
  const request = otlpRequest('shop', [
    otlpSpan(1, undefined, { traceId }),
    otlpSpan(2, 1, { traceId, attributes }),
  ]);
  const reply =
    as === 'protobuf'
      ? await post(otlpProtobuf(request))
      : await post(JSON.stringify(request), { 'content-type': JSON_TYPE });
  expect(reply.status).toBe(200);
  const found = await person.client.call(routes.traces.byTraceId, { params: { traceId } });
  const id = found.traces[0]?._id ?? '';
  const answer = await person.client.open(routes.traces.read, { params: { id } });
  const text = await answer.text();
  return { text, step: JSON.parse(text).trace.flow[0] };
}
const both = ['protobuf', 'json'] as const;

describe('values are stored exactly', () => {
  test.each(both)('if they are sent as %s', async (as) => {
    const text = (stringValue: string): OtlpValue => ({ stringValue });
    const { text: answer, step } = await stored(
      [
        { key: 'nul', value: text('a\0b') },
        { key: 'quotes', value: text('"\\\t\r\n\u2028 %s </script> \u001b[31m') },
        { key: 'emoji', value: text('👩‍👩‍👧 e\u0301 שלום') },
        { key: '__proto__', value: text('own') },
        { key: '', value: text('no name') },
        { key: 'big', value: { intValue: '9223372036854775807' } },
        { key: 'small', value: { intValue: '-9223372036854775808' } },
        { key: 'half', value: { doubleValue: 0.1 } },
        { key: 'tiny', value: { doubleValue: 5e-324 } },
        { key: 'bytes', value: { bytesValue: 'AAEC/w==' } },
        {
          key: 'list',
          value: {
            arrayValue: { values: [text('a'), { boolValue: false }, { arrayValue: { values: [] } }] },
          },
        },
        { key: 'object', value: { kvlistValue: { values: [{ key: '$type', value: text('Map') }] } } },
        { key: 'twice', value: text('first') },
        { key: 'twice', value: text('last') },
      ],
      as,
    );
    expect(step.metadata).toMatchObject({
      nul: 'a\0b',
      quotes: '"\\\t\r\n\u2028 %s </script> \u001b[31m',
      emoji: '👩‍👩‍👧 e\u0301 שלום',
      '': 'no name',
      half: 0.1,
      tiny: 5e-324,
      bytes: { $type: 'Buffer', size: 4, base64: 'AAEC/w==' },
      list: ['a', false, []],
      object: { $type: 'object', properties: { $type: 'Map' } },
      twice: 'last',
    });
    expect(Object.getOwnPropertyDescriptor(step.metadata, '__proto__')?.value).toBe('own');
    expect(answer).toContain('"big":9223372036854775807');
    expect(answer).toContain('"small":-9223372036854775808');
  });

  test('if they are NaN, infinities or -0 in protobuf', async () => {
    const { step } = await stored(
      [Number.NaN, Infinity, -Infinity, -0].map((doubleValue, index) => ({
        key: `d${index}`,
        value: { doubleValue },
      })),
      'protobuf',
    );
    const form = (value: string) => ({ $type: 'number', value });
    expect(step.metadata).toMatchObject({
      d0: form('NaN'),
      d1: form('Infinity'),
      d2: form('-Infinity'),
      d3: form('-0'),
    });
  });

  test('if a JSON string contains half of a surrogate pair', async () => {
    const { step } = await stored([{ key: 'half', value: { stringValue: 'a\ud800b' } }], 'json');
    expect(step.metadata.half).toBe('a\ud800b');
  });

  test('if a JSON value also has members for other types, which are null', async () => {
    const value = JSON.parse('{"stringValue":null,"boolValue":null,"intValue":"7"}');
    const { step } = await stored([{ key: 'count', value }], 'json');
    expect(step.metadata.count).toBe(7);
  });

  test.runIf(isThorough()).each(both)('if one string has 10 MB, as %s', async (as) => {
    traces += 1;
    const traceId = traces.toString(16).padStart(32, 'a');
    const stringValue = 'ab\\"ü '.repeat(1_500_000);
    const request = otlpRequest('shop', [
      otlpSpan(1, undefined, { traceId }),
      otlpSpan(2, 1, { traceId, attributes: [{ key: 'long', value: { stringValue } }] }),
    ]);
    const body = as === 'protobuf' ? otlpProtobuf(request) : JSON.stringify(request);
    const reply = await post(new Uint8Array(gzipSync(body)), {
      'content-encoding': 'gzip',
      'content-type': as === 'protobuf' ? PROTOBUF_TYPE : JSON_TYPE,
    });
    expect(reply.status).toBe(200);
    const found = await person.client.call(routes.traces.byTraceId, { params: { traceId } });
    const { trace } = await person.client.call(routes.traces.read, {
      params: { id: found.traces[0]?._id ?? '' },
    });
    expect(trace.flow[0]?.metadata).toHaveProperty('long', stringValue);
  });
});

describe('hostile input is refused', () => {
  const nested = (depth: number): OtlpValue => {
    let value: OtlpValue = { stringValue: 'deep' };
    for (let level = 0; level < depth; level += 1) value = { arrayValue: { values: [value] } };
    return value;
  };

  const varint = (value: number): number[] =>
    value < 128 ? [value] : [(value & 127) | 128, ...varint(value >> 7)];
  /** Encodes a length-delimited field. */
  const lengthy = (field: number, content: Buffer) =>
    Buffer.concat([Buffer.from([field * 8 + 2, ...varint(content.length)]), content]);
  /** Encodes nested lists as a span's attribute in protobuf, from the inside out. */
  const nestedBytes = (depth: number): Buffer => {
    const heads: Buffer[] = [];
    let length = 0;
    for (let level = 0; level < depth; level += 1) {
      // Field 1 is AnyValue's array_value, field 5 the list's value, which is an AnyValue.
      for (const field of [1, 5]) {
        const head = Buffer.from([field * 8 + 2, ...varint(length)]);
        heads.push(head);
        length += head.length;
      }
    }
    return lengthy(
      9,
      Buffer.concat([lengthy(1, Buffer.from('a')), lengthy(2, Buffer.concat(heads.reverse()))]),
    );
  };
  const rejected = (reply: { readonly status: number; readonly bytes: Buffer }) => {
    expect(reply.status).toBe(200);
    return JSON.parse(reply.bytes.toString()).partialSuccess;
  };

  test('if values are nested too deeply in any field of a span, but other spans of the batch are stored', async () => {
    const deep: OtlpAttribute[] = [{ key: 'a', value: nested(101) }];
    const why = /: an attribute is nested deeper than 100 levels: send less of it \(invalid_trace\)/;
    traces += 1;
    const traceId = traces.toString(16).padStart(32, 'a');
    const spans = [
      otlpSpan(1, undefined, { traceId }),
      otlpSpan(2, 1, { traceId, attributes: deep }),
      otlpSpan(3, 1, { traceId, events: [{ name: 'e', timeUnixNano: '1', attributes: deep }] }),
      otlpSpan(4, 1, { traceId, attributes: [{ key: 'a', value: nested(100) }] }),
    ];
    const [sent] = otlpRequest('shop', spans).resourceSpans;
    const [other] = otlpRequest('shop', [otlpSpan(5, 1, { traceId })]).resourceSpans;
    if (sent === undefined || other === undefined) throw new Error('nothing is sent');
    const request = { resourceSpans: [{ ...other, resource: { attributes: deep } }, sent] };
    const json = rejected(await post(JSON.stringify(request), { 'content-type': JSON_TYPE }));
    expect(json).toEqual({ rejectedSpans: '3', errorMessage: expect.stringMatching(why) });
    for (const span of [0, 2, 3]) expect(json.errorMessage).toContain(`span ${span}: `);
    const binary = await post(otlpProtobuf(request));
    expect(binary.status).toBe(200);
    expect(binary.bytes.includes(Buffer.from(json.errorMessage))).toBe(true);
    const found = await person.client.call(routes.traces.byTraceId, { params: { traceId } });
    expect(found.traces[0]?.stepCount).toBe(1);
  });

  test('if a value is nested 100,000 levels deep', async () => {
    const deep = `${'{"arrayValue":{"values":['.repeat(100_000)}${']}}'.repeat(100_000)}`;
    const json = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a","value":${deep}}]}]}]}]}`;
    const { errorMessage } = rejected(await post(json, { 'content-type': JSON_TYPE }));
    expect(errorMessage).toContain('nested deeper than 100 levels');
    // The length that each level declares is correct.
    const span = Buffer.concat([
      lengthy(1, Buffer.alloc(16, 1)),
      lengthy(2, Buffer.alloc(8, 1)),
      nestedBytes(100_000),
    ]);
    const body = lengthy(1, lengthy(2, lengthy(2, span)));
    const reply = await post(body);
    expect(reply.status).toBe(200);
    expect(reply.bytes.toString()).toContain('nested deeper than 100 levels');
    // Each level declares a length of 127 bytes, two more than the enclosing message has left.
    const levels = Buffer.concat(Array.from({ length: 100_000 }, () => Buffer.from([0x0a, 0x7f])));
    expect((await post(new Uint8Array(levels))).status).toBe(400);
  });

  const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
  test.each(
    pickRows(
      [
        ['gzip', gzipSync],
        ['br', (zeros: Buffer) => brotliCompressSync(zeros, QUICKLY)],
        ['zstd', zstdCompressSync],
      ],
      { usually: 1 },
    ),
  )('if it is a decompression bomb in %s', async (encoding, pack) => {
    const reply = await post(new Uint8Array(pack(Buffer.alloc(100 * 1024 * 1024))), {
      'content-encoding': encoding,
    });
    expect(reply.status).toBe(413);
  });

  test('if spans have times before 1970, after 2261 or more than a day ahead', async () => {
    const bad = [
      otlpSpan(1, undefined, { startTimeUnixNano: '-5' }),
      otlpSpan(2, undefined, { startTimeUnixNano: '9999999999999999999' }),
      otlpSpan(3, undefined, { startTimeUnixNano: String(OTLP_START + 90_000_000_000_000n) }),
    ];
    const reply = await post(JSON.stringify(otlpRequest('shop', bad)), { 'content-type': JSON_TYPE });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.bytes.toString()).partialSuccess.rejectedSpans).toBe('3');
  });
});

const good = otlpRequest('shop', [
  otlpSpan(1, undefined, { attributes: [{ key: 'http.request.method', value: { stringValue: 'GET' } }] }),
  otlpSpan(2, 1, {
    attributes: [
      { key: 'n', value: { kvlistValue: { values: [{ key: 'x', value: { doubleValue: 1.5 } }] } } },
    ],
  }),
]);
const edit = fc.record({
  // A position in the message, as a fraction of the message's length.
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  kind: fc.constantFrom('set', 'cut', 'insert', 'remove'),
  byte: fc.nat(255),
});

test.each([
  ['protobuf', PROTOBUF_TYPE, otlpProtobuf(good)],
  ['JSON', JSON_TYPE, Buffer.from(JSON.stringify(good))],
])(
  'damaged %s never leads to a 5xx and never stops the server',
  async (_what, type, bytes) => {
    const headers = { 'content-type': type };
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let body = [...bytes];
        for (const { at: share, kind, byte } of edits) {
          const at = Math.floor(share * body.length);
          if (kind === 'set') body[at] = byte;
          else if (kind === 'cut') body = body.slice(0, at);
          else body.splice(at, kind === 'remove' ? 1 : 0, ...(kind === 'insert' ? [byte] : []));
        }
        const reply = await post(new Uint8Array(body), headers);
        expect([200, 400]).toContain(reply.status);
      }),
      { numRuns: repetitions({ usually: 30, thoroughly: 4000 }) },
    );
    expect((await post(new Uint8Array(bytes), headers)).status).toBe(200);
  },
  240_000,
);

test('JSON of any shape never leads to a 5xx', async () => {
  const names = [
    'resourceSpans',
    'resource',
    'scopeSpans',
    'scope',
    'spans',
    'attributes',
    'key',
    'value',
    'kind',
    'status',
  ];
  const leaf = fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.constant(null));
  const tree = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 7, withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3 }),
    ),
  })).value;
  const wrapped = fc.record({
    resourceSpans: fc.array(
      fc.record({
        scopeSpans: fc.array(fc.record({ spans: fc.array(tree, { maxLength: 2 }) }), { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.oneof(tree, wrapped), async (sent) => {
      const reply = await post(JSON.stringify(sent) ?? '', { 'content-type': JSON_TYPE });
      expect([200, 400]).toContain(reply.status);
    }),
    { numRuns: repetitions({ usually: 40, thoroughly: 3000 }) },
  );
}, 240_000);

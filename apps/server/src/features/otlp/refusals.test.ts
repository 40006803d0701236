import {
  JSON_TYPE,
  OTLP_START,
  type OtlpBody,
  otlpProtobuf,
  otlpRequest,
  otlpSpan,
  PROTOBUF_TYPE,
  postSpans,
} from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const scene = sceneOfEachTest();

const post = (body: OtlpBody, headers?: Readonly<Record<string, string>>) =>
  postSpans(scene.server, scene.project.apiKey, body, headers);

describe('a refusal of an OpenTelemetry request', () => {
  const body = otlpProtobuf(otlpRequest('shop', [otlpSpan(1, undefined)]));
  /** Decodes google.rpc.Status by hand: its code and its message. */
  const status = (bytes: Buffer) => ({ code: bytes[1], message: bytes.subarray(4).toString() });

  test.each([
    ['no key', body, { 'x-api-key': '' }, 401, 16],
    ['an unknown key', body, { 'x-api-key': 'tl_no' }, 401, 16],
    ['another type', body, { 'content-type': 'text/plain' }, 415, 3],
    ['another encoding', body, { 'content-encoding': 'deflate' }, 415, 3],
    ['invalid gzip', body, { 'content-encoding': 'gzip' }, 400, 3],
    ['a message that is cut off', body.subarray(0, -3), {}, 400, 3],
    ['an invalid message', Buffer.from('hello there'), {}, 400, 3],
  ])('of %s is a google.rpc.Status in protobuf', async (_what, sent, headers, expected, code) => {
    const reply = await post(new Uint8Array(sent), headers as Record<string, string>);
    expect(reply).toMatchObject({ status: expected, type: PROTOBUF_TYPE });
    expect(status(reply.bytes)).toEqual({ code, message: expect.stringMatching(/\w/) });
  });

  test('has a JSON body if the request was JSON', async () => {
    for (const text of [
      '{',
      '[]',
      '{"resourceSpans":1}',
      '{"resourceSpans":[{"scopeSpans":[{"spans":1}]}]}',
    ]) {
      const reply = await post(text, { 'content-type': JSON_TYPE });
      expect(reply.status).toBe(400);
      expect(JSON.parse(reply.bytes.toString())).toEqual({ code: 3, message: expect.any(String) });
    }
    const reply = await post('{}', { 'content-type': JSON_TYPE, 'x-api-key': 'tl_no' });
    expect(JSON.parse(reply.bytes.toString())).toEqual({
      code: 16,
      message: expect.stringMatching(/^The API key .+ Copy the project's current key/),
    });
  });

  test.each(['metrics', 'logs'])(
    "of %s states that only traces are accepted, and names the client's setting that turns off the refused signal",
    async (signal) => {
      const reply = await fetch(`${scene.server.url}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': PROTOBUF_TYPE, 'x-api-key': scene.project.apiKey },
        body: new Uint8Array(body),
      });
      expect([reply.status, reply.headers.get('content-type')]).toEqual([404, PROTOBUF_TYPE]);
      expect(status(Buffer.from(await reply.arrayBuffer()))).toEqual({
        code: 12,
        message: expect.stringMatching(/Only traces .+ OTEL_METRICS_EXPORTER=none/),
      });
    },
  );

  test('is a partial success that counts and names the rejected spans, if only some spans are rejected', async () => {
    const old = String(OTLP_START - 2n * 3_600_000_000_000n);
    const bad = [
      otlpSpan(1, undefined, { traceId: '0'.repeat(32) }),
      otlpSpan(2, undefined, { spanId: 'ff' }),
      otlpSpan(3, undefined, { startTimeUnixNano: '0' }),
      otlpSpan(4, undefined, { startTimeUnixNano: old, endTimeUnixNano: old }),
      otlpSpan(5, undefined, { startTimeUnixNano: '18446744073709551615' }),
    ];
    const request = otlpRequest('shop', [...bad, otlpSpan(6, undefined)]);
    const json = await post(JSON.stringify(request), { 'content-type': JSON_TYPE });
    expect(json.status).toBe(200);
    const { partialSuccess } = JSON.parse(json.bytes.toString());
    expect(partialSuccess.rejectedSpans).toBe('5');
    expect(partialSuccess.errorMessage).toMatch(
      /span 0: trace_id .*span 3: Free Trial keeps traces for 1 hour, and this one is over 2 hours old\. Upgrade to Starter for 7 days\..*too_old/,
    );
    const binary = await post(otlpProtobuf(request));
    expect([...binary.bytes.subarray(0, 1), ...binary.bytes.subarray(2, 5)]).not.toContain(undefined);
    expect(binary.bytes.includes(Buffer.from(partialSuccess.errorMessage))).toBe(true);
    expect((await scene.list()).map(({ _id }) => _id)).toHaveLength(1);
  });

  test('names unreadable spans, and the other spans are stored', async () => {
    const good = otlpSpan(1, undefined);
    const bad = [
      { ...otlpSpan(2, 1), name: 1 },
      { ...otlpSpan(3, 1), startTimeUnixNano: 'NaN' },
      { ...otlpSpan(4, 1), attributes: [{ key: 'a', value: 5 }] },
      'span',
    ];
    const { resourceSpans } = otlpRequest('shop', [good]);
    const resource = { attributes: 'service.name' };
    const scopeSpans = [{ scope: { name: 'test' }, spans: bad }];
    const body = {
      resourceSpans: [...resourceSpans, { scopeSpans }, { ...resourceSpans[0], resource }],
    };
    const reply = await post(JSON.stringify(body), { 'content-type': JSON_TYPE });
    expect(reply.status).toBe(200);
    const { partialSuccess } = JSON.parse(reply.bytes.toString());
    expect(partialSuccess.rejectedSpans).toBe('5');
    expect(partialSuccess.errorMessage).toMatch(
      /span 1: name is not a string .*; span 2: startTimeUnixNano is not a whole number .*; span 5: attributes is not an array/,
    );
    expect(await scene.list()).toHaveLength(1);
  });

  test('is not sent for an empty request', async () => {
    expect((await post('')).status).toBe(200);
    expect((await post('{}', { 'content-type': JSON_TYPE })).status).toBe(200);
  });
});

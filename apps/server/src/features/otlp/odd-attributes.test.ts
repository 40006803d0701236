import { routes } from '@throughline/contract';
import {
  JSON_TYPE,
  type OtlpAttribute,
  type OtlpRequest,
  type OtlpValue,
  otlpProtobuf,
  otlpRequest,
  otlpSpan,
  postSpans,
} from '@throughline/testkit/otlp';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { describe, expect, test } from 'vitest';

const scene = sceneOfEachTest();

/** Attributes that the server reads; each is usually a short text or a number. */
const READ_NAMES = [
  'http.request.method',
  'http.response.status_code',
  'http.status_code',
  'http.route',
  'url.full',
  'url.path',
  'url.query',
  'server.address',
  'server.port',
  'client.address',
  'user_agent.original',
  'session.id',
  'enduser.id',
  'user.id',
  'db.system.name',
  'db.system',
  'db.query.text',
  'db.response.returned_rows',
  'rpc.system',
  'rpc.service',
  'rpc.method',
  'rpc.grpc.status_code',
  'messaging.system',
  'messaging.destination.name',
  'code.function.name',
  'code.file.path',
  'code.line.number',
  'code.lineno',
  'error.type',
  'exception.message',
  'exception.stacktrace',
] as const;

/** An object that JavaScript cannot convert to a string or a number, because its methods are data. */
const unconvertible: OtlpValue = {
  kvlistValue: {
    values: ['toString', 'valueOf', 'toJSON', '__proto__', 'constructor', 'length', 'rawJSON'].map((key) => ({
      key,
      value: { stringValue: key },
    })),
  },
};
const VALUES: readonly (readonly [kind: string, value: OtlpValue])[] = [
  ['an integer that no double can represent', { intValue: '9223372036854775807' }],
  ['an object with members such as toString', unconvertible],
  ['a list of such an object', { arrayValue: { values: [unconvertible] } }],
  ['bytes', { bytesValue: 'AAEC/w==' }],
  ['a number without a finite value', { doubleValue: Number.NaN }],
];

/** Builds two spans per attribute: a request with the attribute, and a step of the request with the same attribute. */
function requestWith(value: OtlpValue): OtlpRequest {
  const spans = READ_NAMES.flatMap((key, index) => {
    const traceId = (index + 1).toString(16).padStart(32, 'c');
    const attributes: OtlpAttribute[] = [{ key, value }];
    // The status makes the server read the error's attributes, too.
    const status = { code: 2 };
    return [
      otlpSpan(1, undefined, { traceId, attributes, status }),
      otlpSpan(2, 1, { traceId, attributes, status, kind: 3 }),
    ];
  });
  const [sent] = otlpRequest('shop', spans).resourceSpans;
  if (sent === undefined) throw new Error('nothing is sent');
  const resource = ['service.version', 'host.name', 'process.runtime.name'].map((key) => ({ key, value }));
  return { resourceSpans: [{ ...sent, resource: { attributes: resource } }] };
}

describe.each(['protobuf', 'JSON'])(
  '%s with an unusual value of an attribute that the server reads',
  (as) => {
    test.each(VALUES)('is stored if the value is %s', async (_kind, value) => {
      const request = requestWith(value);
      const reply =
        as === 'protobuf'
          ? await postSpans(scene.server, scene.project.apiKey, otlpProtobuf(request))
          : await postSpans(scene.server, scene.project.apiKey, JSON.stringify(request), {
              'content-type': JSON_TYPE,
            });
      expect({ status: reply.status, answer: reply.bytes.toString() }).toEqual({
        status: 200,
        answer: as === 'protobuf' ? '' : '{}',
      });
      const { traces } = await scene.person.client.call(routes.traces.list, {
        query: { projectId: scene.project.id, limit: 100 },
      });
      expect(traces.map(({ stepCount }) => stepCount)).toEqual(READ_NAMES.map(() => 1));
    });
  },
);

test('a user id that no double can represent keeps its digits', async () => {
  const id = '9223372036854775807';
  const span = otlpSpan(1, undefined, { attributes: [{ key: 'enduser.id', value: { intValue: id } }] });
  const reply = await postSpans(
    scene.server,
    scene.project.apiKey,
    otlpProtobuf(otlpRequest('shop', [span])),
  );
  expect(reply.status).toBe(200);
  const { traces } = await scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id },
  });
  expect(traces.map(({ userId }) => userId)).toEqual([id]);
});

test('a span with a doubleValue that is no number is rejected, the response names the span and the fault, and the other spans are stored', async () => {
  const spans = [otlpSpan(1, undefined), otlpSpan(2, 1)];
  const odd = { key: 'n', value: { doubleValue: { toString: 1, valueOf: 1 } } };
  const request = otlpRequest('shop', [...spans, otlpSpan(3, 1)]);
  const json = JSON.stringify(request, (_name, part) =>
    part?.spanId === otlpSpan(3, 1).spanId ? { ...part, attributes: [odd] } : part,
  );
  const reply = await postSpans(scene.server, scene.project.apiKey, json, { 'content-type': JSON_TYPE });
  expect(reply.status).toBe(200);
  expect(JSON.parse(reply.bytes.toString()).partialSuccess).toEqual({
    rejectedSpans: '1',
    errorMessage: expect.stringContaining('span 2: doubleValue is not a number'),
  });
  const { traces } = await scene.person.client.call(routes.traces.list, {
    query: { projectId: scene.project.id },
  });
  expect(traces.map(({ stepCount }) => stepCount)).toEqual([1]);
});

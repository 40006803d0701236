import { SPAN_LIMITS } from '@throughline/contract';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { describe, expect, it } from 'vitest';
import {
  buildJsonRequest,
  encodeRequest,
  field,
  keyValue,
  postPacked,
  spanFields,
  spanMembers,
  textField,
} from './fixtures/wire.ts';

const scene = sceneOfEachTest();
const OTHER_TRACE = 'cd'.repeat(16);

const send = (body: string | Uint8Array) => postPacked(scene, body);

describe('if an attribute name has more than 512 kB, only the spans with this name are rejected, and the response names the limit,', () => {
  const name = 'n'.repeat(SPAN_LIMITS.attributeNameBytes.max + 1);
  const nested = field(2, field(6, field(1, keyValue(name, 'v'))));
  const json = `{"key":"${name}","value":{"stringValue":"v"}}`;
  const long = field(9, keyValue(name, 'v'));
  const encodeSpans = (more: Uint8Array) =>
    encodeRequest(field(2, spanFields(1, { more })), field(2, spanFields(2, { traceId: OTHER_TRACE })));
  const buildJson = (attribute: string) =>
    buildJsonRequest(
      `{${spanMembers(1)},"attributes":[${attribute}]},{${spanMembers(2)},"traceId":"${OTHER_TRACE}"}`,
    );
  const sender = (attribute: Uint8Array, spans: Uint8Array) => field(1, field(1, attribute), field(2, spans));

  it.each<[string, string | Uint8Array]>([
    ['in protobuf', encodeSpans(long)],
    ['in a map in protobuf', encodeSpans(field(9, textField(1, 'a'), nested))],
    ['in an event in protobuf', encodeSpans(field(11, field(3, keyValue(name, 'v'))))],
    [
      'in a resource in protobuf',
      Buffer.concat([
        sender(field(1, keyValue(name, 'v')), field(2, spanFields(1))),
        sender(field(1, keyValue('a', 'v')), field(2, spanFields(2, { traceId: OTHER_TRACE }))),
      ]),
    ],
    ['in JSON', buildJson(json)],
    ['in a map in JSON', buildJson(`{"key":"a","value":{"kvlistValue":{"values":[${json}]}}}`)],
  ])('%s', async (_where, body) => {
    const reply = await send(body);
    expect(reply.status).toBe(200);
    const answer = reply.bytes.toString();
    expect(answer).toContain('span 0: more than 512 kB in the name of one attribute');
    expect(answer).not.toContain('span 1');
    expect((await scene.list()).map(({ traceId }) => traceId)).toEqual([OTHER_TRACE]);
  });
});

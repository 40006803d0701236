import { describeExcess, INGEST_LIMITS } from '@throughline/contract';
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

const send = (body: string | Uint8Array) => postPacked(scene, body);

describe('a request with an attribute name of more than 512 kB is refused, and the limit is named,', () => {
  const name = 'n'.repeat(INGEST_LIMITS.nameBytes.max + 1);
  const nested = field(2, field(6, field(1, keyValue(name, 'v'))));
  const json = `{"key":"${name}","value":{"stringValue":"v"}}`;
  const buildJson = (attribute: string) =>
    buildJsonRequest(`{${spanMembers(1)},"attributes":[${attribute}]}`);

  it.each<[string, string | Uint8Array]>([
    ['in protobuf', encodeRequest(field(2, spanFields(1, { more: field(9, keyValue(name, 'v')) })))],
    [
      'in a map in protobuf',
      encodeRequest(field(2, spanFields(1, { more: field(9, textField(1, 'a'), nested) }))),
    ],
    ['in JSON', buildJson(json)],
    ['in a map in JSON', buildJson(`{"key":"a","value":{"kvlistValue":{"values":[${json}]}}}`)],
  ])('%s', async (_where, body) => {
    const reply = await send(body);
    expect(reply.status).toBe(413);
    expect(reply.bytes.toString()).toContain(describeExcess('nameBytes'));
    expect(await scene.list()).toEqual([]);
  });
});

import { describeExcess, OTLP_LIMITS, type OtlpLimitName, SPAN_LIMITS } from '@throughline/contract';
import { sceneOfEachTest } from '@throughline/testkit/scene';
import { isThorough, pickRows } from '@throughline/testkit/thorough';
import { describe, expect, it } from 'vitest';
import {
  buildJsonRequest,
  encodeRequest,
  field,
  keyValue,
  postPacked,
  repeat,
  spanFields,
  spanMembers,
  textField,
} from './fixtures/wire.ts';

const scene = sceneOfEachTest();

const send = (body: string | Uint8Array) => postPacked(scene, body);
const toText = ({ bytes }: { readonly bytes: Buffer }) => bytes.toString();

const above = (name: OtlpLimitName) => OTLP_LIMITS[name].max + 1;
const EMPTY_SPAN = Buffer.from([0x12, 0]);
/** Builds a request of `count` spans; `makeSpan` returns the fields of a span. */
const manySpans = (count: number, makeSpan: (index: number) => Buffer) =>
  encodeRequest(...Array.from({ length: count }, (_span, index) => field(2, makeSpan(index))));
const buildList = (count: number, text: string) => Array.from({ length: count }, () => text).join(',');
/** Builds `spans` spans with `values` values each. */
const withValues = (spans: number, values: number) =>
  repeat(field(2, spanFields(1, { more: repeat(field(9, keyValue('k', '')), values) })), spans);
const buildTraceId = (id: number) => (id + 1).toString(16).padStart(32, '0');
const encodeResource = (...attributes: readonly Buffer[]) =>
  field(1, ...attributes.map((each) => field(1, each)));

describe('a request over a limit is refused, and the limit is named', () => {
  it.each<[OtlpLimitName, string, () => string | Uint8Array]>(
    pickRows(
      [
        ['spans', 'a million empty spans', () => encodeRequest(repeat(EMPTY_SPAN, 1_000_000))],
        ['spans', 'a million empty spans in JSON', () => buildJsonRequest(buildList(1_000_000, '{}'))],
        ['spanBlocks', 'a million empty ResourceSpans', () => repeat(Buffer.from([0x0a, 0]), 1_000_000)],
        ['spanBlocks', 'a million empty ScopeSpans', () => field(1, repeat(EMPTY_SPAN, 1_000_000))],
        [
          'spanBlocks',
          'a million resources of one block',
          () => field(1, repeat(Buffer.from([0x0a, 0]), 1_000_000)),
        ],
        [
          'spanBlocks',
          'a million empty blocks in JSON',
          () => `{"resourceSpans":[${buildList(1_000_000, '{}')}]}`,
        ],
        ['spanBlocks', 'a million unknown members in JSON', () => `{${buildList(1_000_000, '"a":0')}}`],
        [
          'spanEvents',
          'too many events',
          () => encodeRequest(repeat(field(2, repeat(Buffer.from([0x5a, 0]), 10_000)), 51)),
        ],
        [
          'spanEvents',
          'too many links',
          () => encodeRequest(field(2, repeat(Buffer.from([0x6a, 0]), 600_000))),
        ],
        [
          'spanEvents',
          'too many events in JSON',
          () => buildJsonRequest(buildList(6, `{"events":[${buildList(90_000, '{}')}]}`)),
        ],
        [
          'spanTraces',
          'too many trace ids',
          () =>
            manySpans(above('spanTraces'), (index) =>
              spanFields(1, { parent: 2, traceId: buildTraceId(index) }),
            ),
        ],
        [
          'spanServices',
          'too many services',
          () =>
            Buffer.concat(
              Array.from({ length: above('spanServices') }, (_service, index) =>
                field(
                  1,
                  encodeResource(keyValue('service.name', `service ${index}`)),
                  field(2, field(2, spanFields(index + 1))),
                ),
              ),
            ),
        ],
        [
          'spanNames',
          'too many names of attributes',
          () =>
            manySpans(30, (index) =>
              spanFields(index, {
                more: Buffer.concat(
                  Array.from({ length: 1000 }, (_name, name) =>
                    field(9, keyValue(`name ${index} ${name}`, 'v')),
                  ),
                ),
              }),
            ),
        ],
        ['spanValues', 'too many values', () => encodeRequest(withValues(210, 10_000))],
        [
          'spanValues',
          'too many values in lists, in JSON',
          () =>
            buildJsonRequest(
              buildList(
                30,
                `{"attributes":[{"key":"a","value":{"arrayValue":{"values":[${buildList(90_000, '{}')}]}}}]}`,
              ),
            ),
        ],
        ['spanFields', 'too many fields', () => repeat(Buffer.from([0x78, 0]), above('spanFields'))],
        [
          'spanRowBytes',
          'a large scope of many spans',
          () =>
            field(
              1,
              field(
                2,
                field(1, textField(1, 's'.repeat(900_000))),
                ...Array.from({ length: 200 }, (_span, id) => field(2, spanFields(id + 1, { parent: 900 }))),
              ),
            ),
        ],
      ],
      { usually: 3 },
    ),
  )('%s: %s', async (limit, _what, makeBody) => {
    const body = makeBody();
    const reply = await send(body);
    expect(reply.status).toBe(413);
    const message = typeof body === 'string' ? JSON.parse(toText(reply)) : toText(reply);
    if (typeof body === 'string') expect(message).toEqual({ code: 3, message: describeExcess(limit) });
    else expect(message).toContain(describeExcess(limit));
    expect(await scene.list()).toEqual([]);
  });
});

describe('a span over a limit', () => {
  const attribute = (value: Uint8Array) => field(9, textField(1, 'a'), field(2, value));
  const emptyList = (elements: number) => field(5, repeat(Buffer.from([0x0a, 0]), elements));
  const jsonList = (elements: number) => `{"arrayValue":{"values":[${buildList(elements, '{}')}]}}`;

  it.each<[string, RegExp, () => string | Uint8Array]>(
    pickRows(
      [
        [
          'of 100,000 values in one list',
          /more than 100,000 attribute values .*\(limit values\)/,
          () =>
            encodeRequest(
              field(2, spanFields(1)),
              field(2, spanFields(2, { parent: 1, more: attribute(emptyList(100_000)) })),
            ),
        ],
        [
          'of 100,000 values in one list, in JSON',
          /more than 100,000 attribute values .*\(limit values\)/,
          () =>
            buildJsonRequest(
              `{${spanMembers(1)}},{${spanMembers(2, 1)},"attributes":[{"key":"a","value":${jsonList(100_000)}}]}`,
            ),
        ],
        [
          'of more JSON values than any span needs',
          /\(limit values\)/,
          () =>
            buildJsonRequest(
              `{${spanMembers(1)}},{${spanMembers(2, 1)},"unknown":[${buildList(1_000_001, '0')}]}`,
            ),
        ],
        [
          'of 16 MB',
          /more than 16 MB of one span \(limit spanBytes\)/,
          () =>
            encodeRequest(
              field(2, spanFields(1)),
              field(2, spanFields(2, { parent: 1, name: 'n'.repeat(SPAN_LIMITS.spanBytes.max) })),
            ),
        ],
        [
          'of 16 MB in JSON',
          /more than 16 MB of one span \(limit spanBytes\)/,
          () =>
            buildJsonRequest(
              `{${spanMembers(1)}},{${spanMembers(2, 1)},"unknown":"${'n'.repeat(SPAN_LIMITS.spanBytes.max)}"}`,
            ),
        ],
      ],
      { usually: 3 },
    ),
  )('%s is rejected, and the other spans are stored', async (_what, why, makeBody) => {
    const reply = await send(makeBody());
    expect(reply.status).toBe(200);
    expect(toText(reply)).toContain('span 1: ');
    expect(toText(reply)).toMatch(why);
    expect(await scene.list()).toMatchObject([{ stepCount: 0 }]);
  });

  it('is rejected if its resource has more than 1 MB; spans of other resources are stored', async () => {
    const large = encodeResource(keyValue('large', 'r'.repeat(SPAN_LIMITS.senderBytes.max)));
    const body = Buffer.concat([
      field(1, large, field(2, field(2, spanFields(2)), field(2, spanFields(3)))),
      field(1, encodeResource(keyValue('service.name', 'shop')), field(2, field(2, spanFields(1)))),
    ]);
    const reply = await send(body);
    expect(toText(reply)).toMatch(/span 0: more than 1 MB of one resource.*span 1: /s);
    expect(await scene.list()).toMatchObject([{ service: 'shop' }]);
  });

  const cut = [
    ['attributes', 9, 'otel.dropped_attributes_count'],
    ['events', 11, 'otel.events'],
    ['links', 13, 'otel.links'],
  ] as const;
  it.each(pickRows(cut, { usually: 1 }))(
    'keeps the first %s and counts the others as dropped',
    async (kind, number, name) => {
      const { max } = SPAN_LIMITS[kind];
      const amount = max + 7;
      const many = Buffer.concat(
        Array.from({ length: amount }, (_each, index) => field(number, keyValue(`k${index}`, 'v'))),
      );
      const droppedBefore = Buffer.from([{ attributes: 10, events: 12, links: 14 }[kind] * 8, 3]);
      const more = Buffer.concat([many, droppedBefore]);
      expect(
        (await send(encodeRequest(field(2, spanFields(1)), field(2, spanFields(2, { parent: 1, more })))))
          .status,
      ).toBe(200);
      const { flow } = await scene.onlyTrace();
      const metadata = new Map<string, unknown>(Object.entries(flow[0]?.metadata ?? {}));
      expect(metadata.get(`otel.dropped_${kind}_count`)).toBe(10);
      const kept =
        kind === 'attributes'
          ? [...metadata.keys()].filter((each) => /^k\d+$/.test(each))
          : metadata.get(name);
      expect(kept).toHaveLength(max);
    },
  );

  it.runIf(isThorough())('keeps the first 10,000 attributes, events and links of JSON, too', async () => {
    const list = (name: string) => `"${name}":[${buildList(10_007, '{}')}]`;
    const body = buildJsonRequest(
      `{${spanMembers(1)}},{${spanMembers(2, 1)},${list('attributes')},${list('events')},${list('links')},"droppedLinksCount":3}`,
    );
    expect((await send(body)).status).toBe(200);
    const { flow } = await scene.onlyTrace();
    expect(flow[0]?.metadata).toMatchObject({
      'otel.dropped_attributes_count': 7,
      'otel.dropped_events_count': 7,
      'otel.dropped_links_count': 10,
    });
  });
});

describe('rejected spans', () => {
  const rejected = 50_000;
  it.each(
    pickRows(
      [
        ['protobuf', () => encodeRequest(repeat(EMPTY_SPAN, rejected), field(2, spanFields(1)))],
        ['JSON', () => buildJsonRequest(`${buildList(rejected, '{"kind":"none"}')},{${spanMembers(1)}}`)],
      ],
      { usually: 1 },
    ),
  )('in %s are counted in the response, and the first ones are named', async (_form, makeBody) => {
    const reply = await send(makeBody());
    expect(reply.status).toBe(200);
    expect(reply.bytes.length).toBeLessThan(1000);
    for (const span of [0, 1, 2, 3, 4]) expect(toText(reply)).toContain(`span ${span}: `);
    expect(toText(reply)).toContain('; and 49995 more');
    expect(await scene.list()).toHaveLength(1);
    const metrics = await (await fetch(`${scene.server.url}/metrics`)).text();
    expect(metrics).toMatch(/throughline_traces_rejected_total\{reason="invalid_trace"\} \d{5,}\n/);
  });
});

describe('spans with the same id in one batch', () => {
  it('are stored as one step, even if there are thousands', async () => {
    const steps = repeat(field(2, spanFields(2, { parent: 1 })), 20_000);
    expect((await send(encodeRequest(field(2, spanFields(1)), steps))).status).toBe(200);
    const { flow } = await scene.onlyTrace();
    expect(flow).toHaveLength(1);
  });

  it.runIf(isThorough())('are stored as one request, even if there are thousands', async () => {
    expect((await send(encodeRequest(repeat(field(2, spanFields(1)), 20_000)))).status).toBe(200);
    expect(await scene.list()).toHaveLength(1);
  });

  it.runIf(isThorough())(
    'are stored as a request and a step if their kinds differ, as when Zipkin uses one id for the client and the server of a call',
    async () => {
      const client = spanFields(2, { parent: 1, more: Buffer.from([6 * 8, 3]) });
      const server = spanFields(2, { parent: 1, more: Buffer.from([6 * 8, 2]) });
      const spans = [spanFields(1), client, server, client, server].map((span) => field(2, span));
      expect((await send(encodeRequest(...spans))).status).toBe(200);
      expect(await scene.list()).toHaveLength(2);
    },
  );
});

describe('strings that are shown in lists', () => {
  it.runIf(isThorough())("are cut if they are longer than the SDK's format allows", async () => {
    const long = 'x'.repeat(70_000);
    const attributes = {
      'http.request.method': long,
      'url.path': long,
      'http.route': long,
      'url.full': `http://shop.example/${long}`,
      'user_agent.original': long,
      'session.id': long,
    };
    const more = Buffer.concat(
      Object.entries(attributes).map(([name, value]) => field(9, keyValue(name, value))),
    );
    const resource = encodeResource(keyValue('service.name', long), keyValue('service.version', long));
    const body = field(
      1,
      resource,
      field(2, field(2, spanFields(1, { more })), field(2, spanFields(2, { parent: 1, name: long }))),
    );
    expect((await send(body)).status).toBe(200);
    const trace = await scene.onlyTrace();
    const { request } = trace;
    expect(
      [
        request.method,
        request.path,
        request.route,
        request.url,
        request.userAgent,
        trace.sessionId,
        trace.service,
        trace.serviceVersion,
      ].map((text) => text?.length),
    ).toEqual([64, 8192, 8192, 65_536, 4096, 512, 255, 255]);
    expect(trace.flow[0]?.stepName).toBe(`${'x'.repeat(9999)}…`);
  });

  it.runIf(isThorough())('can contain a query with thousands of parameters', async () => {
    const query = Array.from({ length: 8000 }, (_parameter, index) => `p${index}=${index % 2}`).join('&');
    const more = Buffer.concat([
      field(9, keyValue('http.request.method', 'GET')),
      field(9, keyValue('url.query', `${query}&p0=again`)),
    ]);
    expect((await send(encodeRequest(field(2, spanFields(1, { more }))))).status).toBe(200);
    const { request } = await scene.onlyTrace();
    const parameters = Object.entries(request.query ?? {});
    expect(parameters).toHaveLength(8000);
    expect(request.query).toMatchObject({ p0: ['0', 'again'], p1: '1' });
  });
});

describe('the attributes of a resource', () => {
  it('are stored with each step up to 8 kB, and with the request completely', async () => {
    const resource = encodeResource(
      keyValue('service.name', 'shop'),
      keyValue('process.command_args', 'a'.repeat(20_000)),
      keyValue('host.name', 'one'),
    );
    const spans = field(2, field(2, spanFields(1)), field(2, spanFields(2, { parent: 1 })));
    expect((await send(field(1, resource, spans))).status).toBe(200);
    const trace = await scene.onlyTrace();
    expect(trace.attributes).toMatchObject({ 'process.command_args': 'a'.repeat(20_000) });
    expect(trace.flow[0]?.metadata).toMatchObject({
      'otel.resource': { 'service.name': 'shop', 'host.name': 'one', 'otel.dropped_attributes_count': 1 },
    });
  });
});

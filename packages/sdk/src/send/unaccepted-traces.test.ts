import { answer, Collector } from '@throughline/testkit/collector';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Exporter } from './exporter.ts';
import { makeTrace } from './trace.fixture.ts';

const DOCTOR = 'npx @throughline/node doctor tests key and server';

let collector: Collector;
let exporter: Exporter;
let lines: string[];

beforeEach(async () => {
  lines = [];
  collector = new Collector();
  exporter = new Exporter({
    url: await collector.start(),
    apiKey: 'tl_test',
    sdk: { name: '@throughline/node', version: '0.0.0' },
    service: { name: 'shop', instance: 'host:1', runtime: 'node 24' },
    report: (line) => lines.push(line),
    delayMs: 20,
  });
});

afterEach(async () => {
  await exporter.shutdown(0);
  await collector.stop();
});

describe('a trace that the server does not accept', () => {
  it('is reported with the same line, regardless of the position of the invalid field', async () => {
    collector.reply = (response, _, nth) => {
      const message = `traces[${nth}].flow[${nth * 7}].repeat.count: must be at least 1`;
      answer(response, 200, { accepted: 0, rejected: [{ index: nth, code: 'invalid_trace', message }] });
    };
    for (const id of ['a', 'b', 'c']) {
      exporter.send(makeTrace(id));
      await exporter.flush();
    }
    expect(exporter.counters.rejected).toBe(3);
    const line = `the server rejects traces: invalid_trace: flow[].repeat.count: must be at least 1; ${DOCTOR}`;
    expect(lines).toEqual([line, line, line]);
  });
});

describe('a trace that cannot be serialized', () => {
  const OUT = 'the values of a trace were left out, because they could not be serialized';
  const LOST = 'a trace was lost, because it could not be serialized';

  /** A value that throws when it is read, as does one for which the host has patched a built-in. */
  const failing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('patched');
      },
      ownKeys: () => {
        throw new Error('patched');
      },
    },
  );

  it('is sent without its values if only these cannot be serialized', async () => {
    exporter.send(makeTrace('a', failing));
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 2, rejected: 0, lost: 0 });
    const [a, b] = collector.traces;
    expect(a).toMatchObject({
      _id: 'a',
      attributes: { 'throughline.withoutValues': 'fault' },
      dropped: { values: 1 },
      flow: [{ stepName: 'work', duration: 1 }],
    });
    expect(a?.flow[0]).not.toHaveProperty('inputs');
    expect(b?.flow[0]).toMatchObject({ inputs: { n: 1 } });
    expect(lines).toEqual([OUT]);
  });

  it('is counted as lost and reported if it cannot be serialized without its values, too', async () => {
    exporter.send({ ...makeTrace('a'), attributes: { failing } });
    exporter.send(makeTrace('b'));
    expect(await exporter.flush()).toBe(true);
    expect(exporter.counters).toEqual({ accepted: 1, rejected: 0, lost: 1 });
    expect(collector.received[0]?.posted.lost).toEqual({ traces: 1 });
    expect(lines).toEqual([LOST]);
  });
});

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

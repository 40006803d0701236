import { randomUUID } from 'node:crypto';
import { Redactor } from '@throughline/contract/redaction';
import { aTrace, createFakeClock } from '@throughline/testkit';
import { otlpProtobuf, otlpRequest, otlpSpan, PROTOBUF_TYPE } from '@throughline/testkit/otlp';
import { describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { Metrics } from '../../platform/metrics.ts';
import { intake as otlpIntake } from '../otlp/spans/otlp-intake.ts';
import type { IngestProject } from '../projects/index.ts';
import type { SpanLimits } from '../spans/index.ts';
import type { Intake } from './intake/intake.ts';
import { intake as nativeIntake } from './intake/native-intake.ts';
import { createIngest } from './service.ts';

const id = randomUUID();
const project: IngestProject = {
  projectId: id as IngestProject['projectId'],
  accountId: id as IngestProject['accountId'],
  plan: 'enterprise_plus',
  kind: 'organization',
  accessEndsAt: null,
  periodAnchor: new Date(0),
  settings: undefined,
  redaction: undefined,
};

/** A redactor with a bug that one text triggers. */
class BrokenRedactor extends Redactor {
  override text(text: string): string {
    if (text === '/poison') throw new RangeError('Invalid count value: -1');
    return super.text(text);
  }
}

async function admit(intake: Intake, type: string, body: Buffer) {
  const failures: unknown[] = [];
  const batch = await intake.admit(body, type, {
    project,
    redactor: new BrokenRedactor(),
    nowMicros: BigInt(Date.now()) * 1000n,
    batchKey: undefined,
    isCounted: false,
    onEventLoop: true,
    fullTraces: new Set(),
    onFailure: (error) => failures.push(error),
  });
  return { batch, failures };
}

const WHY = 'the server cannot read this, and its log contains the reason; do not send it again';

describe('a trace or span that the server fails to read because of a bug', () => {
  test('is rejected and logged, and the other traces of its batch are stored', async () => {
    const traces = ['/a', '/poison', '/b'].map((path) => aTrace({ request: { method: 'GET', path } }));
    const body = Buffer.from(JSON.stringify({ traces }));
    const { batch, failures } = await admit(nativeIntake, 'application/json', body);
    expect(batch.answer).toEqual({
      accepted: 2,
      rejected: [{ index: 1, code: 'invalid_trace', message: `traces[1]: ${WHY}` }],
    });
    expect(batch.traces.map(({ index }) => index)).toEqual([0, 2]);
    expect(failures).toEqual([new RangeError('Invalid count value: -1')]);
  });

  test('is rejected and logged, and the other spans of the same export are stored', async () => {
    const spans = ['/a', '/poison', '/b'].map((name, index) => ({
      ...otlpSpan(index + 1, index === 0 ? undefined : 1),
      name,
    }));
    const body = otlpProtobuf(otlpRequest('shop', spans));
    const { batch, failures } = await admit(otlpIntake, PROTOBUF_TYPE, body);
    expect(batch.answer.rejected).toEqual([{ index: 1, code: 'invalid_trace', message: `span 1: ${WHY}` }]);
    expect(batch.spans.map(({ links }) => links.length)).toEqual([2]);
    expect(failures).toHaveLength(1);
  });

  test('leaves no part of a span behind if the span is a request', async () => {
    const attributes = [{ key: 'http.request.method', value: { stringValue: 'GET' } }];
    const spans = ['/a', '/poison'].map((name, index) => ({
      ...otlpSpan(index + 1, undefined),
      kind: 2,
      name,
      attributes,
    }));
    const { batch } = await admit(otlpIntake, PROTOBUF_TYPE, otlpProtobuf(otlpRequest('shop', spans)));
    expect(batch.answer).toMatchObject({ accepted: 1, rejected: [{ index: 1 }] });
    expect(batch.traces.map(({ index }) => index)).toEqual([0]);
    expect(batch.spans.flatMap(({ links }) => links)).toHaveLength(1);
  });
});

/** Returns an ingest service that stores nothing, and the lines that the service logs. */
function ingestWithLog() {
  const lines: string[] = [];
  const unused = (): never => {
    throw new Error('nothing is stored in this test');
  };
  const ingest = createIngest({
    byApiKey: async () => project,
    log: createLog('error', { write: (line) => void lines.push(line) }),
    metrics: new Metrics(),
    clock: createFakeClock(),
    usage: { reserve: unused, commit: unused, release: unused, refuseFull: () => {}, exceeded: unused },
    alone: unused,
    published: unused,
    changing: unused,
    spansTouched: unused,
    // The cast is safe, because the service stores nothing.
    spanLimits: { fullTraces: () => new Set(), rejected: () => {} } as Partial<SpanLimits> as SpanLimits,
  });
  return { ingest, lines };
}

const message = {
  headers: { 'content-type': 'application/json' },
  iterator: () => ReadableStream.from([Buffer.from('{}')]),
};

test('a body that the server fails to read because of a bug is refused with 400 and logged, since a retry would fail again', async () => {
  const { ingest, lines } = ingestWithLog();
  const broken: Intake = {
    ...nativeIntake,
    admit: () => Promise.reject(new TypeError('Cannot convert object to primitive value')),
  };
  await expect(ingest.take(message, project, broken)).rejects.toMatchObject({
    code: 'validation_failed',
    status: 400,
    message: `Body: ${WHY}.`,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('Cannot convert object to primitive value');
});

test('the log contains the first three unexpected errors of a body, and the number of the remaining errors', async () => {
  const { ingest, lines } = ingestWithLog();
  const broken: Intake = {
    ...nativeIntake,
    async admit(_bytes, _type, { onFailure }) {
      for (let index = 0; index < 4000; index++) onFailure(new TypeError('not a function'));
      return {
        key: undefined,
        project,
        traces: [],
        spans: [],
        fullTraces: [],
        answer: { accepted: 0, rejected: [] },
      };
    },
  };
  await ingest.take(message, project, broken);
  expect(lines.filter((line) => line.includes('not a function'))).toHaveLength(3);
  expect(lines).toHaveLength(4);
  expect(JSON.parse(lines[3] ?? '')).toMatchObject({ further: 3997, projectId: id });
});

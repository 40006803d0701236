import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProjectId } from '../../../platform/ids.ts';
import { readTrace } from '../decode/read-trace.ts';
import { encodeTrace } from './encode-trace.ts';
import { readListRow } from './list-row.ts';
import { createRedactors } from './redactors.ts';
import { identify } from './trace-identity.ts';

const projectId = '01900000-0000-7000-8000-000000000001' as ProjectId;
const nowMicros = BigInt(Date.parse('2026-01-02T00:00:00Z')) * 1000n;

function buildListRow(sent: object) {
  const checked = readTrace(sent, nowMicros);
  const identity = identify(checked.head, checked.startMicros, { projectId, batchKey: undefined, index: 0 });
  const redactor = createRedactors()(undefined);
  const service = { name: 'shop\\n', environment: 'a\tb', release: '1\n2', instance: 'w\t3' };
  return readListRow(encodeTrace(checked, sent, identity, { projectId, service, redactor, nowMicros }));
}

const startTime = '2026-01-01T10:20:30.123456Z';
const timing = { startTime, duration: 12.3456789 };

test('the list row of a trace is read from its stored row, with all fields that were sent', () => {
  const row = buildListRow({
    request: { method: 'POST', path: '/orders/1', route: '/orders/:id', headers: { 'cf-ipcountry': 'DE' } },
    response: { statusCode: 503, body: 'a\tb' },
    timing,
    error: { hasError: true, errorMessage: 'no\tstock\\', errorCode: 'E1' },
    user: { id: 7 },
    sessionId: 's1',
    flow: [{ stepId: '1', stepName: 'charge', startTime, duration: 1 }],
  });
  expect(row).toMatchObject({
    projectId,
    request: { method: 'POST', path: '/orders/1', route: '/orders/:id' },
    response: { statusCode: 503 },
    timing: { startTime, duration: 12.346 },
    error: { hasError: true, errorMessage: 'no\tstock\\', errorCode: 'E1' },
    service: 'shop\\n',
    environment: 'a\tb',
    release: '1\n2',
    userId: '7',
    sessionId: 's1',
    instance: 'w\t3',
    stepCount: 1,
  });
});

test('fields that were not sent are null, and the id and the trace id equal the stored ids', () => {
  const row = buildListRow({ request: { method: 'GET', path: '/' }, timing });
  expect(row._id).toMatch(/^[\da-f-]{36}$/);
  expect(row).toMatchObject({
    traceId: row._id.replaceAll('-', ''),
    request: { route: null },
    response: { statusCode: null },
    error: { hasError: false, errorMessage: null, errorCode: null },
    userId: null,
    sessionId: null,
    stepCount: 0,
  });
});

test('a path of any characters is returned unchanged', () => {
  const part = fc.constantFrom('\\', '\t', '\n', 't', 'n', '\\t', '\\\\n', 'ü', '😀', '\0', '/');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const path = `/${parts.join('')}`;
      expect(buildListRow({ request: { method: 'GET', path }, timing }).request.path).toBe(path);
    }),
    { numRuns: 200 },
  );
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Finding } from '@throughline/contract';
import { expect, it } from 'vitest';
import { summarize } from './language-model.ts';

const buildFinding = (part: Extract<Finding, { kind: 'changed' }>['evidence']['part']): Finding => ({
  kind: 'changed',
  id: '1',
  title: `POST /orders ${part?.value}`,
  detail: '',
  severity: 'high',
  service: 'shop',
  endpoint: { method: 'POST', path: '/orders' },
  since: '2026-11-21T12:00:00.000000Z',
  startsWithin: null,
  requestCount: 7,
  userCount: 0,
  traces: {},
  exampleTraceIds: [],
  evidence: {
    signal: 'errorRate',
    against: 'release',
    release: 'v2',
    previousRelease: 'v1',
    environment: 'production',
    part,
    errorId: null,
    windowHours: 24,
    before: 1,
    after: 9,
    requestsBefore: 900,
    requestsAfter: 80,
    endpoints: 1,
    pValue: 0.0001,
  },
});

it.each([
  ['error', 'Card of Ada was declined', false],
  ['attribute', 'tenant:Ada', false],
  ['user', 'ada@example.com', false],
  ['dependency', 'payments.example', true],
  ['instance', 'web-2', true],
] as const)(
  'if only one %s is affected by a change, the prompt names it only if the name cannot be a captured value',
  async (name, value, isSent) => {
    let asked = '';
    const model = createServer((request, response) => {
      request.on('data', (chunk) => {
        asked += String(chunk);
      });
      request.on('end', () => response.end('{"choices":[{"message":{"content":"Look."}}]}'));
    });
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
    const { port } = model.address() as AddressInfo;
    try {
      await summarize({ url: `http://127.0.0.1:${port}`, key: undefined, model: 'small' }, [
        buildFinding({ name, value }),
      ]);
    } finally {
      await new Promise((resolve) => model.close(resolve));
    }
    expect(asked).toContain(name);
    expect(asked.includes(value)).toBe(isSent);
  },
);

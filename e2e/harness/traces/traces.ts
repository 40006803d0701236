import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, type Page } from '@playwright/test';

function step(stepId: string, parentStepId: string | null, more: Readonly<Record<string, unknown>>) {
  return { stepId, parentStepId, stepName: stepId, stepType: 'function', duration: 1, ...more };
}

/** Builds the trace of a failed request with two failed steps and some repeated steps. */
export function failedOrder(at: Date): Readonly<Record<string, unknown>> {
  const times = { startTime: at.toISOString() };
  const parts = Array.from({ length: 12 }, (_, index) => ({
    ...step(`loadPart-${index}`, 'createOrder', times),
    stepName: 'loadPart',
    stepType: 'database',
  }));
  return {
    traceId: randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    request: {
      method: 'POST',
      path: '/orders/17',
      route: '/orders/:id',
      headers: { accept: 'application/json' },
      body: { note: '<b>not bold</b>' },
    },
    response: { statusCode: 500, headers: {}, body: { error: 'Something went wrong' } },
    timing: { startTime: at.toISOString(), duration: 1234.5 },
    performance: { memoryUsage: { heapUsed: 51_234_567 }, cpuUsage: 3.2, eventLoopDelay: 0.4 },
    error: { hasError: true, errorMessage: 'no rate', errorCode: 'TypeError' },
    flow: [
      step('authenticate', null, { ...times, stepType: 'middleware' }),
      step('createOrder', null, { ...times, stepType: 'handler', error: { message: 'no rate' } }),
      ...parts,
      step('taxOf', 'createOrder', {
        ...times,
        functionName: 'taxOf',
        filePath: 'src/tax.ts',
        lineNumber: 18,
        inputs: { country: 'UK' },
        variables: {
          capturedAt: 'throw',
          parameters: { country: 'UK' },
          localVariables: { entry: { $type: 'undefined' }, ids: [1, 2, 3] },
        },
        error: {
          name: 'TypeError',
          message: 'no rate',
          stack: 'TypeError: no rate\n    at taxOf (src/tax.ts:18:3)',
        },
      }),
    ],
  };
}

/** Builds the trace of a successful request without steps. */
export function plainRequest(
  path: string,
  at: Date,
  headers: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  return {
    request: { method: 'GET', path, headers },
    response: { statusCode: 200 },
    timing: { startTime: at.toISOString(), duration: 12.3 },
  };
}

/** Sends a service's traces to the only project of the user who is signed in on the page. */
export async function sendTraces(
  page: Page,
  traces: readonly unknown[],
  service:
    | string
    | {
        readonly name: string;
        readonly version?: string;
        readonly instance?: string;
        readonly environment?: string;
        readonly release?: string;
        readonly runtime?: string;
      } = 'orders',
): Promise<void> {
  const origin = new URL(page.url()).origin;
  const token = await page.evaluate(() => localStorage.getItem('auth_token'));
  const headers = { authorization: `Bearer ${token}` };
  const read = async <T>(path: string): Promise<T> =>
    (await fetch(origin + path, { headers })).json() as Promise<T>;
  const { projects } = await read<{ projects: { id: string }[] }>('/api/projects');
  const { apiKey } = await read<{ apiKey: string }>(`/api/projects/${projects[0]?.id}/api-key`);
  const answer = await fetch(`${origin}/api/ingest/traces`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync(
      JSON.stringify({ service: typeof service === 'string' ? { name: service } : service, traces }),
    ),
  });
  expect(await answer.json()).toEqual({ accepted: traces.length, rejected: [] });
}

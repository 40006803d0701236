import { parseTraceQuery, type TraceRow } from '@throughline/contract';
import { expect, it } from 'vitest';
import { listRowTerms } from './row-terms.ts';

const ROW: TraceRow = {
  _id: '0192f3c4-5a6b-7c8d-9e0f-112233445566',
  traceId: 'a'.repeat(32),
  projectId: '0192f3c4-5a6b-7c8d-9e0f-112233445567',
  request: { method: 'POST', path: '/orders/17', route: null },
  response: { statusCode: 500 },
  timing: { startTime: '2026-11-27T10:00:00Z', duration: 1 },
  error: { hasError: true, errorMessage: 'no rate', errorCode: null },
  service: 'shop',
  environment: '',
  release: '1.4.2',
  userId: 'ann lee',
  sessionId: 's 1',
  country: null,
  instance: 'w3',
  stepCount: 3,
};
const list = (excluded: boolean) => listRowTerms(ROW, excluded).map(({ text }) => text);

it('the menu of a row offers terms that filter for the values of the row, and terms that exclude these values', () => {
  const known = [
    'status:500',
    'method:POST',
    'user:"ann lee"',
    'service:shop',
    'release:1.4.2',
    'session:"s 1"',
    'instance:w3',
  ];
  expect(list(false)).toEqual(known);
  expect(list(true)).toEqual(known.map((term) => `-${term}`));
  for (const term of [...list(false), ...list(true)]) expect(parseTraceQuery(term).problem).toBeUndefined();
});

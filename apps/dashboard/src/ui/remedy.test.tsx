import { MantineProvider } from '@mantine/core';
import { ApiError, ERRORS, type ErrorCode, OPERATOR_ERRORS, TEXTS } from '@throughline/contract';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ErrorNotice } from './feedback/error-notice.tsx';
import { findRemedy } from './feedback/find-remedy.ts';
import { FormError } from './feedback/form-error.tsx';

const draw = (node: ReactNode) => renderToStaticMarkup(<MantineProvider>{node}</MantineProvider>);
const refusal = new ApiError({
  status: 403,
  code: 'forbidden',
  message: 'Not yours.',
  remedy: ERRORS.forbidden.remedy,
  requestId: 'id-1',
});
const fault = new ApiError({
  status: 500,
  code: 'internal',
  message: 'x',
  remedy: 'Report it.',
  requestId: 'id-1',
});

it('a form shows the remedy for a rejected request separately from the message, without a request id', () => {
  const html = draw(<FormError message="Not yours." error={refusal} />);
  expect(html).toContain('<div role="alert">Not yours.</div>');
  expect(html).toContain(ERRORS.forbidden.remedy);
  expect(html).not.toContain('id-1');
});

it('a form shows the request id of an internal server error', () => {
  expect(draw(<FormError message="x" error={fault} />)).toContain('id-1');
});

it.each([...OPERATOR_ERRORS])(
  'the request id of the error %s, which only the operator can fix, can be copied',
  (code) => {
    const refused = new ApiError({ status: 400, code, message: 'x', requestId: 'id-1' });
    for (const html of [
      draw(<FormError message="x" error={refused} />),
      draw(<ErrorNotice what="x" error={refused} />),
    ]) {
      expect(html).toContain('id-1');
      expect(html).toContain('aria-label="Copy request id"');
    }
  },
);

it('a notice shows the remedy for an error', () => {
  expect(draw(<ErrorNotice what="It failed." error={refusal} />)).toContain(ERRORS.forbidden.remedy);
});

it('an error message that contains the remedy is not followed by another remedy', () => {
  const taken = {
    status: 409,
    code: 'slug_taken',
    message: TEXTS.slugTaken,
    remedy: 'Choose another.',
  } as const;
  expect(findRemedy(new ApiError(taken))).toBeUndefined();
});

it('no remedy on a screen contains instructions for API clients', () => {
  const shown = Object.entries(ERRORS).map(([code, { status, meaning, remedy }]) =>
    findRemedy(new ApiError({ status, code: code as ErrorCode, message: meaning, remedy })),
  );
  const forClients =
    /`|\b(body|content-encoding|headers?|HTTP client|JSON|Retry-After|the id)\b|\bsend (?!the (pending )?invitation)/i;
  expect(shown.filter((text) => forClients.test(text ?? ''))).toEqual([]);
});

it('the Retry-After of a response is shown as a duration', () => {
  const wait = { status: 429, code: 'too_many_requests', message: 'x', remedy: 'See the header.' } as const;
  expect(findRemedy(new ApiError({ ...wait, retryAfterSeconds: 61 }))).toBe('Try again in 2 minutes.');
});

it.each([{ fields: [{ path: 'name', message: 'x' }] }, { gate: 'projects' as const }])(
  'a message about a field or a plan limit is followed by no remedy: %o',
  (details) => {
    const refused = { status: 400, code: 'validation_failed', message: 'x', remedy: 'Correct it.' } as const;
    expect(findRemedy(new ApiError({ ...refused, details }))).toBeUndefined();
  },
);

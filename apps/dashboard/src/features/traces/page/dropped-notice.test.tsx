import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { aTrace } from '../parts/trace.fixture.ts';
import { DroppedNotice } from './dropped-notice.tsx';

const render = (given: Parameters<typeof aTrace>[0]) =>
  renderToStaticMarkup(<DroppedNotice trace={aTrace(given)} />);

test('the notice of a request without values explains why the values are missing, even if nothing counts as dropped', () => {
  expect(render({ attributes: { 'throughline.withoutValues': 'backlog' } })).toContain(
    'This request was sent without values, because too many requests were waiting to be sent.',
  );
  expect(render({ attributes: { 'throughline.withoutValues': 'memory' } })).toContain(
    'This request was recorded without values, because the requests in progress used too much memory.',
  );
  expect(render({})).toBe('');
});

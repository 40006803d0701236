import { describe, expect, it } from 'vitest';
import { ViewParams } from './search-params.ts';

const read = (search: Readonly<Record<string, unknown>>) => ViewParams.parse(search);

describe('the URL parameters of a page', () => {
  it.each(['all', 'ALL', 'All', '', 'GET POST', 'GET\n', '<b>', 'x'.repeat(65), 7, null, ['GET']])(
    'ignore %j as a method',
    (method) => {
      expect(read({ method }).method).toBeUndefined();
    },
  );

  it.each(['GET', 'delete', 'M-SEARCH', 'PROPFIND', 'ALLOW'])('accept the method %s', (method) => {
    expect(read({ method }).method).toBe(method);
  });

  it.each(['timeline', 'steps', 'waterfall'])('open the timeline for the view %s', (view) => {
    expect(read({ view }).view).toBe('timeline');
  });

  it('are parsed without an error, whatever their values', () => {
    const names = Object.keys(ViewParams.shape);
    for (const value of [
      '',
      'all',
      '\u0000',
      '💥'.repeat(10_000),
      '-1',
      'NaN',
      '{}',
      null,
      0,
      [],
      {},
      true,
    ]) {
      expect(() => read(Object.fromEntries(names.map((name) => [name, value])))).not.toThrow();
    }
  });
});

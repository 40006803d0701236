import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Sparkline } from './sparkline.tsx';
import type { TimeMark } from './time-marks.ts';

const draw = (marks: readonly TimeMark[]) =>
  renderToStaticMarkup(
    <Sparkline
      label="Requests"
      values={[1, 2]}
      tone="grey"
      marked={{ marks, from: 1000, to: 3000, format: (ms) => `${ms} ms` }}
    />,
  );

it('a sparkline has a line at the first request of each release in its range, and names the releases in a tooltip', () => {
  const drawn = draw([
    { at: 2500, name: '1.1' },
    { at: 1500, name: '1.0 <b>' },
    { at: 900, name: 'before' },
    { at: 3000, name: 'after' },
  ]);
  expect([...drawn.matchAll(/<line x1="([\d.]+)" x2="\1"/g)].map(([, x]) => x)).toEqual(['25', '75']);
  expect(drawn).toContain('<title>Releases: 1.0 &lt;b&gt; since 1500 ms, 1.1 since 2500 ms</title>');
});

it('a sparkline without releases in its range has neither lines nor a tooltip', () => {
  expect(draw([{ at: 500, name: '1.0' }])).not.toMatch(/<line|<title/);
});

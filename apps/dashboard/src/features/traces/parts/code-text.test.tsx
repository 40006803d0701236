import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { CodeText } from './code-text.tsx';

const render = (text: string) => renderToStaticMarkup(<CodeText text={text} />);

test('the server’s sentences show names in backticks as code', () => {
  expect(render('`entry` is undefined')).toBe(
    '<span></span><code class="mono">entry</code><span> is undefined</span>',
  );
});

test('a number and its unit stay on one line', () => {
  expect(render('took 400 ms, 63 % of the request')).toContain('400\u00a0ms, 63\u00a0% of');
  expect(render('2 more steps, 3 matches')).not.toContain('\u00a0');
  expect(render('`limit 5 s`')).not.toContain('\u00a0');
});

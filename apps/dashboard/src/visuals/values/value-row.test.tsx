import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { ValueLine } from './value-row.tsx';
import { listValueRows, type ValueNodeRow } from './value-rows.ts';

it('an opened string shows characters that change the writing direction as escapes, and keeps its line breaks', () => {
  const text = 'gpj.\u202eexe\nsecond line';
  const [opened] = listValueRows(text, [], new Set(['$']));
  expect(opened).toMatchObject({ longText: text });
  const html = renderToStaticMarkup(<ValueLine row={opened as ValueNodeRow} />);
  expect(html).toContain('gpj.\\u202eexe\nsecond line');
});

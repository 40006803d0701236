import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import classes from '../../ui/feedback/notice.module.css';
import { type Outcome, OutcomeNotice } from './outcome.tsx';

it.each<readonly [Outcome['type'], string | undefined]>([
  ['success', classes.success],
  ['error', classes.error],
])("the outcome of a form has the theme's notice colours: %s", (type, look) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <OutcomeNotice outcome={{ type, message: 'Done or not.' }} onDismiss={() => undefined} />
    </MantineProvider>,
  );
  expect(html).toContain(`class="${look}"`);
});

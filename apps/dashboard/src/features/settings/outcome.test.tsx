import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import classes from '../../ui/feedback/notice.module.css';
import { type Outcome, OutcomeNotice } from './outcome.tsx';

it.each<readonly [Outcome['type'], string | undefined]>([
  ['success', classes.success],
  ['error', classes.error],
])("the message of a form is drawn in the theme's colour for %s", (type, look) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <OutcomeNotice outcome={{ type, message: 'Done or not.' }} onDismiss={() => undefined} />
    </MantineProvider>,
  );
  expect(html).toContain(`class="${look}"`);
});

import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PlotFrame } from './plot-frame.tsx';

it.each([
  [true, '<rect'],
  [false, 'stroke-dasharray="2 2"'],
])('a legend shows bars as boxes and lines in their stroke (bars: %s)', (isBar, mark) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <PlotFrame
        label="Request volume"
        legend={[{ name: 'Errors', look: { tone: 'red', dash: [2, 2] }, isBar }]}
        table={{ columns: [{ name: 'Time' }], rows: [[1]] }}
      >
        <svg />
      </PlotFrame>
    </MantineProvider>,
  );
  expect(html).toContain(mark);
  expect(html.includes('<line')).toBe(!isBar);
});

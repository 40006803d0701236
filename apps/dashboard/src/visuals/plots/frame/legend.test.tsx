import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PlotFrame } from './plot-frame.tsx';

it.each([
  [true, '<rect'],
  [false, 'stroke-dasharray="2 2"'],
])('a legend shows a series of bars as a box, and a line with its dash pattern (bars: %s)', (isBar, mark) => {
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

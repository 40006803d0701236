import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layOutBars, measureLabelRoom } from './bars/bar-lines.ts';
import { computeShade } from './frame/plot-colours.ts';
import { placeLegend } from './frame/plot-picture.ts';
import { formatSpan, formatTicks } from './frame/plot-times.ts';
import { labelWithin } from './frame/svg-label.ts';
import {
  buildGrid,
  buildHeatmapTable,
  findArea,
  findColumn,
  findShownArea,
  placeBeside,
} from './heatmap/heatmap-grid.ts';
import { buildShapes, toAlphaCode } from './map/country-shapes.ts';
import { layOutArrows, layOutServices } from './map/service-layout.ts';
import { buildArcs } from './ring/ring-arcs.ts';
import { buildSeriesTable, computeValueRange, findValueSteps, sortByValue } from './series/series.ts';
import { findPlace, joinSpans, selectSpansWithin } from './series/spans.ts';

const hours = (count: number, from = new Date(2026, 10, 20).getTime()) =>
  Array.from({ length: count }, (_, hour) => ({
    from: from + hour * 3_600_000,
    to: from + (hour + 1) * 3_600_000,
  }));

describe('ranges on an axis', () => {
  const spans = [
    { from: 0, to: 10 },
    { from: 10, to: 30 },
    { from: 30, to: 35 },
  ];

  it.each([
    [-5, 0],
    [0, 0],
    [9.9, 0],
    [10, 1],
    [29, 1],
    [30, 2],
    [99, 2],
  ])('assign the value %d to the index %d', (value, place) => {
    expect(findPlace(spans, value)).toBe(place);
  });

  it('are found for any value that they contain, whatever the widths of the ranges', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1 }), fc.nat(), (widths, at) => {
        let end = 0;
        const each = widths.map((width) => {
          end += width;
          return { from: end - width, to: end };
        });
        const value = at % end;
        const found = each[findPlace(each, value)];
        expect(found !== undefined && value >= found.from && value < found.to).toBe(true);
      }),
    );
  });

  it('do not contain a value if the axis has no ranges', () => {
    expect(findPlace([], 1)).toBe(-1);
    expect(joinSpans([], 0, 1)).toBeUndefined();
  });

  it('can be joined in either order, and limited to a zoomed range', () => {
    expect(joinSpans(spans, 2, 1)).toEqual({ from: 10, to: 35 });
    expect(selectSpansWithin(spans, { from: 10, to: 30 })).toEqual([spans[1]]);
    expect(selectSpansWithin(spans, undefined)).toBe(spans);
  });
});

describe('a scale', () => {
  it.each([
    [null, undefined, [0, 1]],
    [0, 100, [0, 1]],
    [200, undefined, [0, 210]],
    [99, 100, [0, 100]],
  ] as const)('for the largest value %s and the maximum %s is %j', (greatest, most, range) => {
    expect(computeValueRange(greatest, most)).toEqual(range);
  });

  it('shades small counts visibly and zero not at all', () => {
    expect(computeShade(0, 10)).toBe(0);
    expect(computeShade(1, 1_000_000)).toBeGreaterThan(0.1);
    expect(computeShade(10, 10)).toBe(1);
  });
});

describe('a time range', () => {
  const midnight = new Date(2026, 10, 20).getTime();
  it.each([
    [midnight, midnight + 86_400_000, '2026-11-20'],
    [midnight, midnight + 3 * 86_400_000, '2026-11-20 – 2026-11-22'],
    [midnight + 3_600_000, midnight + 7_200_000, '11-20 01:00 – 02:00'],
    [midnight + 23 * 3_600_000, midnight + 25 * 3_600_000, '11-20 23:00 – 11-21 01:00'],
    [midnight + 1000, midnight + 2000, '11-20 00:00:01 – 00:00:02'],
  ])('from %d to %d is formatted as "%s"', (from, to, words) => {
    expect(formatSpan({ from, to })).toBe(words);
  });

  it('has date ticks at midnight and time ticks otherwise', () => {
    expect(formatTicks([midnight, midnight + 3_600_000], midnight)).toEqual(['11-20', '01:00']);
  });

  it('has the date at the first tick of an axis that does not begin today', () => {
    const ticks = [15, 18, 21, 24, 27].map((hour) => midnight + hour * 3_600_000);
    const texts = ['18:00', '21:00', '11-21', '03:00'];
    expect(formatTicks(ticks, midnight + 27 * 3_600_000)).toEqual(['11-20 15:00', ...texts]);
    expect(formatTicks(ticks, midnight + 16 * 3_600_000)).toEqual(['15:00', ...texts]);
  });
});

it("a chart's table has a row for each time range", () => {
  const spans = hours(2);
  const table = buildSeriesTable(
    spans,
    [{ name: 'P95', values: [12, null], look: { tone: 'blue' }, kind: 'line' }],
    { unit: 'ms', write: (ms) => `${ms} ms` },
  );
  expect(table.columns.map(({ name, unit }) => [name, unit])).toEqual([
    ['Time', undefined],
    ['P95', 'ms'],
  ]);
  expect(table.rows).toEqual([
    [spans[0]?.from, 12],
    [spans[1]?.from, null],
  ]);
  expect(table.columns[0]?.write?.(spans[0]?.from ?? 0)).toBe('11-20 00:00 – 01:00');
});

it('a legend lists the largest series first', () => {
  expect(sortByValue([{ values: [1, null] }, { values: [5, 5] }, { values: [2] }])).toEqual([
    { values: [5, 5] },
    { values: [2] },
    { values: [1, null] },
  ]);
});

describe('a heatmap', () => {
  const durations = [
    { from: 0, to: 10 },
    { from: 10, to: Number.POSITIVE_INFINITY },
  ];
  const grid = buildGrid(hours(3), durations, [
    { time: 0, duration: 0, count: 4 },
    { time: 2, duration: 1, count: 7 },
    { time: 9, duration: 0, count: 1 },
    { time: 0, duration: 9, count: 1 },
  ]);

  it('counts the requests in a selected area, for corners in any order', () => {
    expect(findArea(grid, { from: { time: 2, duration: 1 }, to: { time: 0, duration: 0 } })).toMatchObject({
      count: 11,
      duration: { from: 0, to: Number.POSITIVE_INFINITY },
    });
    expect(findArea(grid, { from: { time: 1, duration: 0 }, to: { time: 1, duration: 1 } })?.count).toBe(0);
    expect(findArea(grid, { from: { time: 9, duration: 0 }, to: { time: 9, duration: 0 } })).toBeUndefined();
    expect(grid.most).toBe(7);
  });

  it('selects all cells that the selected range overlaps, and no cells if the range is outside the grid', () => {
    const [first, second, third] = grid.times;
    if (first === undefined || second === undefined || third === undefined) throw new Error('no columns');
    const all = { from: 0, to: Number.POSITIVE_INFINITY };
    const start = { from: first.from, to: first.to };
    expect(findShownArea(grid, { time: start, duration: all })).toEqual({
      time: start,
      duration: all,
      count: 4,
    });
    const wide = { from: first.from - 1, to: second.from + 1 };
    expect(findShownArea(grid, { time: wide, duration: { from: 9, to: 11 } })).toMatchObject({
      time: { from: first.from, to: second.to },
      duration: all,
    });
    expect(findShownArea(grid, { time: start, duration: { from: 10, to: 11 } })).toMatchObject({
      duration: { from: 10, to: Number.POSITIVE_INFINITY },
      count: 0,
    });
    expect(findShownArea(grid, { time: { from: 0, to: first.from }, duration: all })).toBeUndefined();
    const later = { from: third.to, to: third.to + 1 };
    expect(findShownArea(grid, { time: later, duration: all })).toBeUndefined();
  });

  it('finds the position of an instant among its columns', () => {
    const [first, second] = grid.times.map(({ from }) => from);
    expect(findColumn(grid.times, first ?? 0)).toBe(0);
    expect(findColumn(grid.times, (second ?? 0) + 900_000)).toBe(1.25);
    expect(findColumn([], 5)).toBe(0);
  });

  it('moves from cell to cell with the arrow keys, and stops at its edges', () => {
    expect(placeBeside(grid, { time: 0, duration: 0 }, 'ArrowLeft')).toEqual({ time: 0, duration: 0 });
    expect(placeBeside(grid, { time: 0, duration: 0 }, 'ArrowUp')).toEqual({ time: 0, duration: 1 });
    expect(placeBeside(grid, { time: 2, duration: 1 }, 'ArrowUp')).toEqual({ time: 2, duration: 1 });
  });

  it('has a table of its cells that are not empty', () => {
    const { rows } = buildHeatmapTable(grid, String);
    expect(rows.map((row) => row.slice(1))).toEqual([
      [0, 4],
      [10, 7],
    ]);
  });
});

describe('a ring chart', () => {
  it('has an arc for each value, and a full circle for a single value', () => {
    expect(buildArcs([3, 0, 1], 10)).toEqual([
      expect.stringMatching(/^M.*A10 10 0 1 1/),
      '',
      expect.stringMatching(/^M.*A10 10 0 0 1/),
    ]);
    expect(buildArcs([5, 0], 10)[0]).toMatch(/A.*A/);
    expect(buildArcs([0, 0], 10)).toEqual(['', '']);
  });

  it('has an arc for a tiny value, too', () => {
    const [, tiny = ''] = buildArcs([1_000_000, 1], 10);
    expect(tiny).not.toContain('NaN');
    expect(tiny).not.toBe('');
  });
});

it('the legend of a saved picture wraps to several lines if a single line is too short', () => {
  expect(placeLegend(['Success 2,992 · 96.6 %', 'Error 105 · 3.4 %'], 176)).toEqual([
    { x: 0, y: 0 },
    { x: 0, y: 20 },
  ]);
  expect(placeLegend(['P50', 'P95'], 176)).toEqual([
    { x: 0, y: 0 },
    { x: 59, y: 0 },
  ]);
  expect(placeLegend([], 176)).toEqual([]);
});

describe('the cards of the service map', () => {
  const place = (nodes: string[], edges: [string, string][]) =>
    layOutServices(
      nodes.map((id) => ({ id })),
      edges.map(([source, target]) => ({ source, target })),
    );

  it('are left of the services that they call', () => {
    const { places } = place(
      ['db', 'shop', 'pay'],
      [
        ['shop', 'pay'],
        ['pay', 'db'],
        ['shop', 'db'],
      ],
    );
    const x = (id: string) => places.get(id)?.x ?? Number.NaN;
    expect(x('shop')).toBeLessThan(x('pay'));
    expect(x('pay')).toBeLessThan(x('db'));
  });

  it('never overlap, even if services call each other in cycles, call themselves or call unknown services', () => {
    const id = fc.integer({ min: 0, max: 12 }).map(String);
    fc.assert(
      fc.property(fc.uniqueArray(id), fc.array(fc.tuple(id, id)), (nodes, edges) => {
        const { places, width, height } = place(nodes, edges);
        expect([...places.keys()].toSorted()).toEqual(nodes.toSorted());
        const boxes = [...places.values()].map((one) => ({ ...one, width: 188 }));
        for (const [index, a] of boxes.entries()) {
          expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= width && a.y + a.height <= height).toBe(true);
          for (const b of boxes.slice(index + 1)) {
            const beside = a.x + a.width <= b.x || b.x + b.width <= a.x;
            expect(beside || a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true);
          }
        }
      }),
    );
  });

  it('have space for all of their arrows, and arrows do not cross next to a card', () => {
    const edges = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((source) => ({ source, target: 'db' }));
    const { places } = layOutServices(
      [...edges.map(({ source }) => ({ id: source })), { id: 'db' }],
      [...edges, { source: 'a', target: 'gone' }],
    );
    const arrows = layOutArrows([...edges, { source: 'a', target: 'gone' }], places);
    expect(arrows).toHaveLength(edges.length);
    const byStart = arrows.toSorted((a, b) => a.start.y - b.start.y).map(({ end }) => end.y);
    expect(byStart).toEqual(byStart.toSorted((a, b) => a - b));
    for (const [place, y] of byStart.slice(1).entries()) {
      expect(y - (byStart[place] ?? 0)).toBeGreaterThanOrEqual(13);
    }
    const db = places.get('db') ?? { y: 0, height: 0 };
    expect(Math.min(...byStart)).toBeGreaterThan(db.y);
    expect(Math.max(...byStart)).toBeLessThan(db.y + db.height);
  });

  it('are laid out for a chain of thousands of services', () => {
    const ids = Array.from({ length: 5000 }, (_, index) => String(index));
    const { places } = place(
      ids,
      ids.slice(1).map((id, index): [string, string] => [String(index), id]),
    );
    expect(places.get('4999')?.x).toBeGreaterThan(places.get('4998')?.x ?? 0);
  });
});

describe('the countries of the map', () => {
  it.each([
    ['840', 'US'],
    ['528', 'NL'],
    ['004', 'AF'],
    ['926', undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('have for the number %s the code %s', (number, code) => {
    expect(toAlphaCode(number)).toBe(code);
  });

  it('have outlines, almost all of them with a unique two-letter country code', async () => {
    const { default: world } = await import('world-atlas/countries-110m.json', { with: { type: 'json' } });
    const shapes = buildShapes(JSON.parse(JSON.stringify(world)));
    expect(shapes).toHaveLength(177);
    const codes = shapes.flatMap(({ code }) => code ?? []);
    expect(codes).toContain('DE');
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes.length).toBeGreaterThan(170);
    for (const { path } of shapes) expect(path).toMatch(/^M[-\d. LMZ]+Z$/);
  });
});

it.each([
  ['/orders/:id', 200, '/orders/:id'],
  ['/a/very/long/path', 60, '/a/very…'],
  ['\u0000\ud800x', 100, '\u{FFFD}\u{FFFD}x'],
  ['🙂🙂🙂🙂', 22, '🙂🙂…'],
  ['x', 0, 'x'],
])('the label %j is cut to fit %d pixels', (name, width, cut) => {
  expect(labelWithin(name, width)).toBe(cut);
});

describe('the labels of bars', () => {
  const funnel = [
    { label: '1. Sign in', text: '32 · 100.0 %' },
    { label: '2. Fill the cart', text: '32 · 100.0 % · 100.0 % of the step before' },
  ];

  it('are on one line with the numbers if they fit', () => {
    const { isStacked, texts } = layOutBars(funnel, 600);
    expect([isStacked, texts]).toEqual([false, funnel.map(({ text }) => [text])]);
  });

  it('are above the numbers in all rows if one row does not fit', () => {
    const { isStacked, texts } = layOutBars(funnel, 310);
    expect([isStacked, texts]).toEqual([true, funnel.map(({ text }) => [text])]);
    for (const { label, text } of funnel) {
      expect(labelWithin(label, measureLabelRoom(isStacked, text, 310))).toBe(label);
    }
    expect(layOutBars(funnel, 200).texts).toEqual([
      ['32 · 100.0 %'],
      ['32 · 100.0 %', '100.0 % of the step before'],
    ]);
  });
});

it('the ticks of an axis are at whole numbers if the plot has only bars, and can be at fractions if it has a line', () => {
  expect(findValueSteps([{ kind: 'bars' }]).incrs?.every(Number.isInteger)).toBe(true);
  expect(findValueSteps([{ kind: 'bars' }, { kind: 'line' }])).toEqual({});
});

import { describe, expect, it } from 'vitest';
import { SERIES_LOOKS } from '../visuals/plots/frame/plot-colours.ts';
import { STEP_TYPE_WORDS } from '../visuals/steps/step-type.tsx';
import { SURFACES, TONES } from './theme/tones.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** Convert linear RGB to the colours that people without one type of cone see: Machado, Oliveira and Fernandes 2009, severity 1.0. */
const VISIONS: Readonly<Record<string, Matrix>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/**
 * Converts linear RGB to cone responses. The cube roots of the responses are then converted to OKLab (Ottosson 2020), in which distances
 * match perception.
 */
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/**
 * Minimum distance of two colours. Black and white have a distance of 100; two adjacent colours with a distance of 2 can just be
 * distinguished.
 */
const APART = 10;

function apply(rows: Matrix, [x, y, z]: Triple): Triple {
  const one = ([a, b, c]: Triple) => a * x + b * y + c * z;
  return [one(rows[0]), one(rows[1]), one(rows[2])];
}

function each([x, y, z]: Triple, change: (value: number) => number): Triple {
  return [change(x), change(y), change(z)];
}

function linear(hex: string): Triple {
  const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return each([channel(1), channel(3), channel(5)], (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
}

function seen(hex: string, vision: Matrix): Triple {
  const rgb = each(apply(vision, linear(hex)), (value) => Math.min(1, Math.max(0, value)));
  return apply(TO_LAB, each(apply(TO_CONES, rgb), Math.cbrt));
}

function distance(one: string, other: string, vision: Matrix): number {
  const [a, b] = [seen(one, vision), seen(other, vision)];
  return 100 * Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Returns the smallest distance between two colours in any kind of vision. */
function leastDistance(one: string, other: string): number {
  return Math.min(...Object.values(VISIONS).map((vision) => distance(one, other, vision)));
}

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  const { control, card } = SURFACES[scheme];
  const { green, red, blue, amber } = TONES[scheme];

  // Only these colours are tested, since their elements have neither text nor icons. Elements that show methods, statuses, durations, step
  // types and value kinds have text or icons, too.
  it.each([
    ['failed requests in a bar of all requests, and failed steps on the map,', control, red.fill],
    ['failed requests in the bars of requests', blue.fill, red.fill],
    ['the parts of the ring', green.fill, red.fill],
    ['lines and bars, and their background,', control, card],
    ['the first two series of a chart', blue.fill, amber.fill],
  ])('%s have distinguishable colours for every kind of colour vision', (_where, one, other) => {
    for (const vision of Object.values(VISIONS)) {
      expect(distance(one, other, vision)).toBeGreaterThanOrEqual(APART);
    }
  });

  it('series with similar colours have different strokes', () => {
    const strokes = SERIES_LOOKS.map((look) => ({
      fill: TONES[scheme][look.tone].fill,
      dash: 'dash' in look ? look.dash.join() : 'none',
    }));
    for (const [place, one] of strokes.entries()) {
      for (const other of strokes.slice(place + 1)) {
        const alike = leastDistance(one.fill, other.fill) < APART;
        expect(alike && one.dash === other.dash).toBe(false);
      }
    }
  });
});

it('each step type is shown with a different word', () => {
  const words = Object.values(STEP_TYPE_WORDS);
  expect(new Set(words).size).toBe(words.length);
});

it.each(Object.entries(VISIONS))(
  "the test's model of how people with %s see colours keeps greys grey, as in its publication",
  (_name, vision) => {
    expect(distance('#000000', '#ffffff', vision)).toBeCloseTo(100, 1);
    const [, a, b] = seen('#808080', vision);
    expect(Math.hypot(a, b)).toBeLessThan(0.001);
  },
);

it("in the test's model, red and green differ for people with full colour vision, and look alike to people with red-green blindness", () => {
  const [red, green] = ['#c02020', '#5a6a00'];
  expect(distance(red, green, VISIONS['all cones'] ?? TO_LAB)).toBeGreaterThan(APART);
  expect(leastDistance(red, green)).toBeLessThan(APART);
});

import { describe, expect, it } from 'vitest';
import { STEP_HUES, SURFACES, TONES } from './tones.ts';

/** Relative luminance and contrast ratio as WCAG 2.2 defines them. */
function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(a: string, b: string): number {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('in the %s scheme', (scheme) => {
  const { page, card, hover, text, dim, control, chosen, chosenText } = SURFACES[scheme];
  const surfaces = { page, card, hover };

  it.each(Object.entries(surfaces))('text and dim text are readable on the %s', (_name, surface) => {
    expect(contrast(text, surface)).toBeGreaterThanOrEqual(7);
    expect(contrast(dim, surface)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(control, surface)).toBeGreaterThanOrEqual(3);
  });

  it('selected text is readable', () => {
    expect(contrast(chosenText, chosen)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(Object.entries(TONES[scheme]))(
    '%s is readable as text, on its badge and as a bar',
    (_name, tone) => {
      for (const surface of [...Object.values(surfaces), tone.soft]) {
        expect(contrast(tone.text, surface)).toBeGreaterThanOrEqual(4.5);
      }
      expect(contrast(tone.onFill, tone.fill)).toBeGreaterThanOrEqual(4.5);
      for (const surface of [page, card]) expect(contrast(tone.fill, surface)).toBeGreaterThanOrEqual(3);
    },
  );

  it.each(Object.entries(STEP_HUES[scheme]))('the hue of %s steps is readable', (_type, hue) => {
    for (const surface of Object.values(surfaces)) expect(contrast(hue, surface)).toBeGreaterThanOrEqual(4.5);
  });
});

it('the test computes contrast as WCAG does', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
});

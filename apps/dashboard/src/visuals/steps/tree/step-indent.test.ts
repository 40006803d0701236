import { describe, expect, it } from 'vitest';
import { indentFor } from './step-indent.ts';

describe('the indentation of steps', () => {
  it('is full where the column has room for all levels', () => {
    expect(indentFor(400, 6)).toEqual({ px: 14, mostLevels: 16 });
  });

  it('shrinks before names lose their room', () => {
    const { px, mostLevels } = indentFor(300, 15);
    expect(px).toBe(8);
    expect(mostLevels).toBeGreaterThanOrEqual(15);
  });

  it('ends at a level beyond which names would vanish', () => {
    const { px, mostLevels } = indentFor(300, 5000);
    expect(px * mostLevels).toBeLessThanOrEqual(300 - 176);
  });

  it('tells a few levels apart in any column', () => {
    expect(indentFor(80, 30)).toEqual({ px: 6, mostLevels: 4 });
  });
});

import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aForest, aStep } from '../../steps/step.fixture.ts';
import type { FlowFolding } from '../flow-types.ts';
import { buildFlow, NO_FOLDING } from '../layout/flow-data.ts';
import { layOutFlow } from '../layout/flow-layout.ts';
import { drawFlowSvg } from './flow-svg.ts';

const step = (stepId: string, parentStepId: string | null, more: Partial<Step> = {}): Step =>
  aStep(stepId, { parentStepId, stepName: stepId, ...more });

const drawPicture = (flow: readonly Step[], rule: FlowFolding['rule'] = 'readable') => {
  const graph = buildFlow(aForest(flow), { ...NO_FOLDING, rule });
  return { graph, ...drawFlowSvg(graph, layOutFlow(graph.root), 'light') };
};

describe("a flow graph's SVG file", () => {
  it('has a card for each step with its error, and an arrow for each edge', () => {
    const { svg, graph } = drawPicture([
      step('a', null),
      step('b', 'a', { error: { message: 'no rate' } }),
      step('c', null, { sequence: 1 }),
    ]);
    expect(svg.match(/<title>/g)).toHaveLength(3);
    expect(svg.match(/marker-end/g)).toHaveLength(graph.edges.length);
    expect(svg).toContain('failed: no rate</title>');
  });

  it('contains captured names only as escaped text', () => {
    const { svg } = drawPicture([step('"><script>alert(1)</script>&amp;', null)]);
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
  });

  it("cuts names that do not fit a card, and has the full name in the card's title", () => {
    const name = '名'.repeat(10_000);
    const { svg } = drawPicture([step(name, null)]);
    expect(svg.split(name)).toHaveLength(2);
    expect(svg).toContain('…</text>');
  });

  it('is well-formed and contains all cards, for any names', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 20 }), (names) => {
        const { graph, svg, width, height } = drawPicture(
          names.map((name, index) =>
            step(`${index}`, index % 3 === 0 ? null : `${index - 1}`, { stepName: name, sequence: index }),
          ),
        );
        expect(svg.isWellFormed()).toBe(true);
        // Cards that represent hidden siblings have no title.
        const cards = graph.nodes.filter(({ kind }) => kind === 'entry');
        expect(svg.split('<title>')).toHaveLength(cards.length + 1);
        // Characters that XML 1.0 forbids.
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the SVG must not contain these characters
        expect(svg).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
        expect(svg.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
        expect(svg.replace(/&(?:amp|lt|gt|quot);/g, '')).not.toContain('&');
        for (const [, x, y] of svg.matchAll(/<rect x="(-?\d+)" y="(-?\d+)"/g)) {
          expect(Number(x)).toBeLessThan(width);
          expect(Number(y)).toBeLessThan(height);
        }
      }),
    );
  });
});

describe('a flow graph with everything opened or folded', () => {
  const chain = Array.from({ length: 300 }, (_, index) =>
    step(`s${index}`, index === 0 ? null : `s${Math.floor((index - 1) / 3)}`, {
      sequence: index,
      stepName: `n${index}`,
    }),
  );
  const cards = (rule: FlowFolding['rule']) =>
    drawPicture(chain, rule).graph.nodes.filter(({ kind }) => kind === 'entry').length;

  it('shows every step, or only top-level steps', () => {
    expect(cards('all')).toBe(300);
    expect(cards('none')).toBe(1);
    expect(cards('readable')).toBeLessThan(300);
  });
});

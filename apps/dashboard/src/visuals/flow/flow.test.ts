import type { Step } from '@throughline/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepForest } from '../steps/analysis/step-forest.ts';
import { aForest, aStep, aSuccessfulForest, ran } from '../steps/step.fixture.ts';
import type { FlowFolding } from './flow-types.ts';
import { buildFlow, CARDS_AT_FIRST, findPathTo, NO_FOLDING, SIBLINGS_AT_FIRST } from './layout/flow-data.ts';
import { type FlowBox, layOutFlow } from './layout/flow-layout.ts';

const step = (
  stepId: string,
  parentStepId: string | null,
  startMs: number,
  duration: number,
  failed = false,
): Step =>
  aStep(stepId, { parentStepId, ...ran(startMs, duration), error: failed ? { message: 'x' } : null });

const buildForest = (...flow: Step[]) => aForest(flow);
const buildTestFlow = (...flow: Step[]) => buildFlow(buildForest(...flow), NO_FOLDING);
const arrows = (graph: ReturnType<typeof buildFlow>) => graph.edges.map((edge) => edge.id);

describe('the cards and arrows of a flow', () => {
  it('connect callers and callees in the order in which they started', () => {
    const graph = buildTestFlow(
      step('a', null, 0, 10),
      step('b', 'a', 1, 2),
      step('c', 'b', 1.5, 1),
      step('d', 'a', 4, 1),
    );
    expect(arrows(graph)).toEqual(['a to b', 'b to c', 'c to d']);
  });

  it('fork before parallel steps and join again before the next step', () => {
    const graph = buildTestFlow(
      step('a', null, 0, 10),
      step('b', 'a', 1, 5),
      step('c', 'a', 2, 5),
      step('d', 'a', 8, 1),
    );
    expect(arrows(graph)).toEqual([
      'a to fork b',
      'fork b to b',
      'b to join b',
      'fork b to c',
      'c to join b',
      'join b to d',
    ]);
  });

  it('do not join after parallel steps if no step follows', () => {
    const graph = buildTestFlow(step('a', null, 0, 10), step('b', 'a', 1, 5), step('c', 'a', 2, 5));
    expect(arrows(graph)).toEqual(['a to fork b', 'fork b to b', 'fork b to c']);
  });

  it('connect steps as sequential if their times overlap by no more than the clock’s precision', () => {
    expect(arrows(buildTestFlow(step('a', null, 0, 1.003), step('b', null, 1, 1)))).toEqual(['a to b']);
  });

  it('mark the path to the failure', () => {
    const graph = buildTestFlow(step('a', null, 0, 10), step('b', 'a', 1, 2), step('c', 'a', 4, 1, true));
    expect(graph.nodes.filter((node) => node.errorPath !== undefined).map((node) => node.id)).toEqual([
      'a',
      'c',
    ]);
  });

  it('mark a handled error up to the caller that caught it, if the request succeeded', () => {
    const flow = [
      step('handler', null, 0, 20),
      step('retry', 'handler', 1, 10),
      step('call', 'retry', 2, 3, true),
      step('fetch', 'call', 3, 1, true),
      step('again', 'retry', 6, 2),
    ];
    const listMarked = (forest: StepForest) => {
      const { nodes, edges } = buildFlow(forest, NO_FOLDING);
      return [...nodes, ...edges].flatMap(({ id, errorPath }) => (errorPath ? [`${id}: ${errorPath}`] : []));
    };
    expect(listMarked(aSuccessfulForest(flow))).toEqual([
      'retry: handled',
      'call: handled',
      'fetch: handled',
      'retry to call: handled',
      'call to fetch: handled',
    ]);
    expect(listMarked(aForest(flow)).slice(0, 4)).toEqual([
      'handler: failed',
      'retry: failed',
      'call: failed',
      'fetch: failed',
    ]);
  });

  it('mark the whole call path if no recorded caller caught the error', () => {
    const forest = aSuccessfulForest([step('handler', null, 0, 1), step('late', 'handler', 0.5, 10, true)]);
    const { nodes } = buildFlow(forest, NO_FOLDING);
    expect(nodes.filter((node) => node.errorPath !== undefined).map((node) => node.id)).toEqual([
      'handler',
      'late',
    ]);
  });

  it('are absent from a request without steps', () => {
    expect(buildTestFlow()).toMatchObject({ nodes: [], edges: [] });
  });
});

describe('a flow that is too large to draw completely', () => {
  const wide = [
    step('root', null, 0, 9999),
    ...Array.from({ length: 2000 }, (_, i) => ({
      ...step(`s${i}`, 'root', i, 0.5, i === 1999),
      stepName: `s${i}`,
    })),
  ];

  it('draws some siblings, the failed sibling, and one card for all others', () => {
    const { nodes } = buildTestFlow(...wide);
    expect(nodes.find((node) => node.kind === 'more')).toMatchObject({ count: 2000 - SIBLINGS_AT_FIRST - 1 });
    expect(nodes.some((node) => node.id === 's1999')).toBe(true);
  });

  it('draws all siblings if the user wants to see all', () => {
    const { nodes } = buildFlow(buildForest(...wide), { ...NO_FOLDING, whole: new Set(['root']) });
    expect(nodes).toHaveLength(2001);
  });

  it('is drawn with its deeper levels folded, except on the path to the failure', () => {
    const flow = Array.from({ length: 40 }, (_, i) => [
      { ...step(`a${i}`, null, i * 20, 15), stepName: `a${i}` },
      ...Array.from({ length: 5 }, (__, j) => ({
        ...step(`b${i * 5 + j}`, `a${i}`, i * 20 + j, 0.5, i === 39 && j === 4),
        stepName: `b${i}-${j}`,
      })),
    ]).flat();
    const { nodes } = buildTestFlow(...flow);
    expect(nodes.length).toBeLessThanOrEqual(CARDS_AT_FIRST);
    expect(nodes.some((node) => node.id === 'b199')).toBe(true);
  });

  it('is laid out for steps 20,000 levels deep', () => {
    const flow = Array.from({ length: 20_000 }, (_, i) =>
      step(`s${i}`, i === 0 ? null : `s${i - 1}`, i / 100, 1, i === 19_999),
    );
    const graph = buildTestFlow(...flow);
    expect(graph.nodes.length).toBeLessThan(1000);
    expect(layOutFlow(graph.root).size).toBe(graph.nodes.length);
  });
});

describe('any flow', () => {
  const graphs = fc
    .tuple(
      fc.array(
        fc.record({
          parent: fc.option(fc.nat({ max: 30 })),
          start: fc.nat({ max: 60 }),
          duration: fc.nat({ max: 30 }),
          name: fc.nat({ max: 3 }),
        }),
        { maxLength: 40 },
      ),
      fc.nat(),
    )
    .map(([flow, pick]) => {
      const forest = buildForest(
        ...flow.map(({ parent, start, duration, name }, i) => ({
          ...step(`s${i}`, parent === null ? null : `s${parent}`, start, duration),
          stepName: `n${name}`,
        })),
      );
      const node = forest.all[pick % Math.max(1, flow.length)];
      const folding: FlowFolding =
        node === undefined
          ? NO_FOLDING
          : { ...NO_FOLDING, opened: findPathTo(forest, node), shown: new Set([node.key]) };
      return { graph: buildFlow(forest, folding), node };
    });

  it('has each card once, without overlaps, and arrows only between cards', () => {
    fc.assert(
      fc.property(graphs, ({ graph, node }) => {
        const layout = layOutFlow(graph.root);
        const ids = graph.nodes.map((card) => card.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...layout.keys()].toSorted()).toEqual(ids.toSorted());
        for (const edge of graph.edges) expect(layout.has(edge.source) && layout.has(edge.target)).toBe(true);
        const boxes = [...layout.values()];
        for (const [i, a] of boxes.entries())
          for (const b of boxes.slice(i + 1)) expect(overlap(a, b)).toBe(false);
        if (node !== undefined) expect(ids).toContain(node.key);
      }),
    );
  });

  it('has arrows that only go down', () => {
    fc.assert(
      fc.property(graphs, ({ graph }) => {
        const layout = layOutFlow(graph.root);
        for (const { source, target } of graph.edges) {
          const from = layout.get(source);
          const to = layout.get(target);
          expect(from !== undefined && to !== undefined && from.y + from.height < to.y).toBe(true);
        }
      }),
    );
  });
});

function overlap(a: FlowBox, b: FlowBox): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

describe('a flow of hundreds of failures', () => {
  it('opens only the paths to the first failures', () => {
    const flow = Array.from({ length: 4000 }, (_, index) => ({
      ...step(`n${index}x`, index === 0 ? null : `n${Math.floor((index - 1) / 20)}x`, index, 1, index > 500),
      sequence: index,
    }));
    const { nodes } = buildTestFlow(...flow);
    expect(nodes.some(({ id }) => id === 'n501x')).toBe(true);
    expect(nodes.length).toBeLessThan(CARDS_AT_FIRST);
  });
});

import type { Step } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { aForest, aStep, ran } from '../../../steps/step.fixture.ts';
import { buildCallGraph, type CallGraph } from './call-graph.ts';
import { findOpeningPath } from './opening-path.ts';

const step = (id: string, parentStepId: string | null, durationMs: number, startMs = 0): Step =>
  aStep(id, { parentStepId, ...ran(startMs, durationMs) });

const build = (...flow: Step[]) => {
  const forest = aForest(flow);
  return { forest, graph: buildCallGraph(forest) };
};
const names = ({ byId }: CallGraph, ids: Iterable<string> | undefined) =>
  [...(ids ?? [])].map((id) => byId.get(id)?.first.step.stepName);

const { forest, graph } = build(
  step('route', null, 100),
  step('loadCart', 'route', 20),
  step('price1', 'route', 30, 20),
  step('price2', 'price1', 20, 21),
  step('taxFor', 'price2', 5, 22),
  step('discount', 'price2', 10, 28),
  step('query', 'loadCart', 19),
  step('send', 'route', 40, 55),
);

describe('a graph of functions opens on', () => {
  it("the path to the call that threw, with the siblings of the path's last function; a recursive function is on the path once", () => {
    const opening = findOpeningPath(graph, forest.byId.get('taxFor'));
    expect(opening?.kind).toBe('failing');
    expect(names(graph, opening?.path)).toEqual(['route', 'price', 'taxFor']);
    expect(names(graph, opening?.siblings)).toContain('discount');
    expect(names(graph, opening?.siblings)).not.toContain('taxFor');
  });

  it('the path to the function with the most self time if no call failed', () => {
    const opening = findOpeningPath(graph, undefined);
    expect(opening?.kind).toBe('hottest');
    expect(names(graph, opening?.path)).toEqual(['route', 'send']);
    expect(opening?.call.step.stepId).toBe('send');
  });

  it('the function whose many short calls take the most time in total', () => {
    const short = Array.from({ length: 30 }, (_, index) => step(`tick${index}`, 'route', 2, index * 2));
    const ticks = build(step('route', null, 100), step('long', 'route', 30, 65), ...short);
    expect(names(ticks.graph, findOpeningPath(ticks.graph, undefined)?.path)).toEqual(['route', 'tick']);
  });

  it('a failed top-level function, with the other top-level functions as siblings', () => {
    const roots = build(step('auth', null, 1), step('route', null, 5, 2));
    const opening = findOpeningPath(roots.graph, roots.forest.byId.get('route'));
    expect(names(roots.graph, opening?.siblings)).toEqual(['auth']);
  });

  it('no path if there are no steps', () => {
    expect(findOpeningPath(build().graph, undefined)).toBeUndefined();
  });
});

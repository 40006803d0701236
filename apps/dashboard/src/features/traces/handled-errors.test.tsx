import { MantineProvider } from '@mantine/core';
import type { ComparedStep, SourceFunction, Step } from '@throughline/contract';
import { createRef, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { TONES } from '../../shell/theme/tones.ts';
import { describeLine } from '../../visuals/files/describe-line.ts';
import { groupStepsByFile } from '../../visuals/files/file-lines.ts';
import { describeFrame } from '../../visuals/flame/flame-graph.tsx';
import { buildFlameTree } from '../../visuals/flame/flame-tree.ts';
import { FlowList } from '../../visuals/flow/flow-list.tsx';
import { buildCallGraph } from '../../visuals/flow/functions/calls/call-graph.ts';
import { describeFunction } from '../../visuals/flow/functions/calls/function-words.ts';
import { buildFlow, NO_FOLDING } from '../../visuals/flow/layout/flow-data.ts';
import { layOutFlow } from '../../visuals/flow/layout/flow-layout.ts';
import { drawFlowSvg } from '../../visuals/flow/picture/flow-svg.ts';
import { buildSequence } from '../../visuals/sequence/sequence-data.ts';
import { describeMessage } from '../../visuals/sequence/sequence-diagram.tsx';
import { annotateSource } from '../../visuals/source/annotate-source.ts';
import { SourceCode } from '../../visuals/source/source-code.tsx';
import { toEntry } from '../../visuals/steps/analysis/bundle-repeats.ts';
import { findCriticalPath } from '../../visuals/steps/analysis/critical-path.ts';
import type { StepForest, StepNode } from '../../visuals/steps/analysis/step-forest.ts';
import { aForest, aStep, aSuccessfulForest, ran } from '../../visuals/steps/step.fixture.ts';
import { StepName } from '../../visuals/steps/tree/step-name.tsx';
import { stepRows } from '../../visuals/steps/tree/step-rows.ts';
import { LineBars } from '../../visuals/timeline/bars/line-bars.tsx';
import { buildOverviewBars } from '../../visuals/timeline/overview/overview-bars.ts';
import { buildEvenScale } from '../../visuals/timeline/scale/time-scale.ts';
import { describeRow } from './comparison/compared-marks.ts';
import { listComparedRows } from './comparison/compared-rows.ts';
import { StepFilterBar } from './filter/step-filter-bar.tsx';
import { RepeatFacts } from './step/step-facts.tsx';

/** A payment that is retried: `charge` threw at line 32, and `pay` caught the error. */
const FLOW: readonly Step[] = [
  aStep('pay', { ...ran(0, 12), filePath: 'src/pay.ts', lineNumber: 14 }),
  aStep('charge1', {
    parentStepId: 'pay',
    sequence: 1,
    ...ran(1, 5),
    stepType: 'http',
    stepName: 'POST bank.example/charge',
    functionName: 'charge',
    filePath: 'src/pay.ts',
    lineNumber: 30,
    error: { message: 'no answer', stack: 'Error: no answer\n    at charge (src/pay.ts:32:9)' },
  }),
  aStep('charge2', {
    parentStepId: 'pay',
    sequence: 2,
    ...ran(7, 3),
    stepType: 'http',
    stepName: 'POST bank.example/charge',
  }),
];
const SOURCE: SourceFunction = { line: 30, text: 'a() {\n\n  throw x\n}' };

const SCALE = buildEvenScale({ fromMs: 0, toMs: 12 });

const draw = (node: ReactNode) => renderToStaticMarkup(<MantineProvider>{node}</MantineProvider>);
const findCharge = ({ byId }: StepForest): StepNode => byId.get('charge1') ?? expect.fail();

const drawTree = (forest: StepForest) => {
  const row = stepRows({ forest }, new Set()).find(({ entry }) => entry.key === 'charge1');
  return draw(
    <StepName
      row={row ?? expect.fail()}
      critical={undefined}
      argument={undefined}
      result={undefined}
      onToggle={() => undefined}
    />,
  );
};

const drawBar = (forest: StepForest) =>
  draw(<LineBars entry={toEntry(findCharge(forest))} scale={SCALE} critical={undefined} />);

const describeFile = (forest: StepForest) => {
  const file = groupStepsByFile(forest)[0] ?? expect.fail();
  const line = file.lines.find((each) => each.line === 30) ?? expect.fail();
  return describeLine({ file, line }, undefined, ({ step }) => step);
};

const drawSource = (forest: StepForest) => {
  const { step, outcome } = findCharge(forest);
  const lines = annotateSource({
    source: SOURCE,
    file: 'src/pay.ts',
    step,
    thrown: 32,
    children: [],
    others: [],
  });
  return draw(<SourceCode label="Source of charge" lines={lines} outcome={outcome} functionKey="30" />);
};

const describeFlame = (forest: StepForest) => {
  const tree = buildFlameTree(forest, 'POST /pay', 12);
  return describeFrame(tree.framesByStep.get('charge1') ?? expect.fail(), tree.root);
};

const drawFlowList = (forest: StepForest) =>
  draw(
    <FlowList
      graph={buildFlow(forest, NO_FOLDING)}
      marked={new Set()}
      selected={undefined}
      onSelect={() => undefined}
      onShowAll={() => undefined}
    />,
  );

const drawFlowPicture = (forest: StepForest) => {
  const graph = buildFlow(forest, NO_FOLDING);
  return drawFlowSvg(graph, layOutFlow(graph.root), 'light').svg;
};

const describeFunctions = (forest: StepForest) =>
  buildCallGraph(forest)
    .functions.map((called) => describeFunction(called).sentence)
    .join('; ');

const describeSequence = (forest: StepForest) => {
  const sequence = buildSequence(
    {
      ...{ id: 'a', service: 'shop', name: 'POST /pay', answer: '200', failed: false },
      ...{ startMs: 0, durationMs: 12, parentSpanId: null, forest },
    },
    [],
  );
  return sequence.messages.map((message) => describeMessage(message, sequence)).join('; ');
};

const drawFilterBar = (forest: StepForest) => {
  const selection = { forest, critical: findCriticalPath(forest, 12), jump: {} };
  const state = { query: { text: '' }, filter: undefined, values: { state: 'unasked' } };
  return draw(<StepFilterBar box={createRef()} selection={selection as never} state={state as never} />);
};

const describeComparison = ({ thrownAs }: StepForest) => {
  const call = { name: 'charge', step: 'charge1', other: null, duration: 5, otherDuration: null };
  const compared = { ...call, failed: true, otherFailed: false, moved: false, unusual: 0, depth: 0 };
  const [row] = listComparedRows([compared as ComparedStep]);
  return describeRow(row ?? expect.fail(), { here: thrownAs, other: 'failed' });
};

const drawRepeat = ({ thrownAs }: StepForest) =>
  draw(<RepeatFacts repeat={{ count: 9, minMs: 1, sumMs: 9, maxMs: 1, errors: 2 }} thrownAs={thrownAs} />);

/** Each view with its words for an error that was handled, and for the error of a failed request. */
const VIEWS: readonly [string, (forest: StepForest) => string, handled: string, failed: string][] = [
  ['the tree', drawTree, 'aria-label="error handled"', 'aria-label="failed"'],
  ['the files', describeFile, 'error handled, threw at line 32', 'failed, threw at line 32'],
  ['the source code', drawSource, 'data-thrown="handled"', 'data-thrown="failed"'],
  ['the flame graph', describeFlame, ', error handled', ', failed'],
  ['the list of the flow', drawFlowList, 'error handled', 'failed'],
  [
    'the picture of the flow',
    drawFlowPicture,
    'error handled: no answer</title>',
    'failed: no answer</title>',
  ],
  ['the graph of functions', describeFunctions, ', 1 error handled', ', 1 failed'],
  ['the sequence', describeSequence, ', error handled', ', failed'],
  ['the filter of the steps', drawFilterBar, 'Handled errors 1', '>Errors 1'],
  ['the first jump', drawFilterBar, '>First handled error<', '>First error<'],
  ['the comparison', describeComparison, 'error handled here', 'failed here'],
  ['the facts of summarized calls', drawRepeat, '<dt>Errors handled</dt>', '<dt>Failed</dt>'],
];

describe('a step that threw', () => {
  it.each(VIEWS)('is marked in %s as handled if the request succeeded', (_, show, handled, failed) => {
    const shown = show(aSuccessfulForest(FLOW));
    expect(shown).toContain(handled);
    expect(shown).not.toContain(failed);
  });

  it.each(VIEWS)('is marked in %s as failed if the request failed', (_, show, handled, failed) => {
    const shown = show(aForest(FLOW));
    expect(shown).toContain(failed);
    expect(shown).not.toContain(handled);
  });

  it.each<[string, (forest: StepForest) => boolean]>([
    ['a bar of the timeline', (forest) => drawBar(forest).includes('tone-red')],
    [
      'the overview of the timeline',
      (forest) => buildOverviewBars(forest, SCALE, 300, 56).some(({ failed }) => failed),
    ],
    [
      'a picture of the flow',
      (forest) => drawFlowPicture(forest).includes(`stroke="${TONES.light.red.fill}"`),
    ],
  ])('is red in %s only if the request failed', (_, isRed) => {
    expect(isRed(aForest(FLOW))).toBe(true);
    expect(isRed(aSuccessfulForest(FLOW))).toBe(false);
  });
});

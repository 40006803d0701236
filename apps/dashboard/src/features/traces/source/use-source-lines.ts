import type { SourceFunction, Step } from '@throughline/contract';
import { useMemo } from 'react';
import { annotateSource } from '../../../visuals/source/annotate-source.ts';
import { findThrownLine } from '../../../visuals/steps/thrown-line.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';

interface CalledFunction {
  readonly loaded: LoadedTrace;
  readonly step: Step;
  readonly source: SourceFunction;
  /** All functions of the file. */
  readonly functions: readonly SourceFunction[];
}

/**
 * Returns the lines of a function with the values of the step's call, and the step with its values. `areValuesWanted` is false until the
 * values may be fetched.
 */
export function useSourceLines(
  { loaded, step: listed, source, functions }: CalledFunction,
  areValuesWanted: boolean,
) {
  const step = useStepValues(loaded, listed, areValuesWanted).data ?? listed;
  const { flow } = loaded.trace;
  const children = useMemo(
    () => flow.filter(({ parentStepId }) => parentStepId === listed.stepId),
    [flow, listed.stepId],
  );
  const lines = useMemo(() => {
    const file = step.filePath ?? '';
    return annotateSource({ source, file, step, thrown: findThrownLine(step), children, others: functions });
  }, [source, step, children, functions]);
  return { step, lines };
}

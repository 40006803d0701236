import type { SourceFunction, Step } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { annotateSource } from '../source/annotate-source.ts';
import type { ValuePosition } from '../source/captured-names.ts';
import { SourceCode } from '../source/source-code.tsx';
import { buildFunctionKey } from '../source/whole-functions.tsx';
import type { StepNode } from '../steps/analysis/step-forest.ts';
import { findThrownLine } from '../steps/thrown-line.ts';
import classes from './files.module.css';

interface FunctionCodeProps {
  readonly source: SourceFunction;
  readonly node: StepNode;
  /** The step of the node, with its values if they are loaded. */
  readonly step: Step;
  readonly functions: readonly SourceFunction[];
  readonly onFollow: ((node: StepNode, at: ValuePosition) => void) | undefined;
}

/** The source code of a function in a row of the list, with the values of one call. */
export function FunctionCode({ source, node, step, functions, onFollow }: FunctionCodeProps) {
  const lines = useMemo(
    () =>
      annotateSource({
        source,
        file: step.filePath ?? '',
        step,
        thrown: findThrownLine(step),
        children: node.children.map((child) => child.step),
        others: functions,
      }),
    [source, node, step, functions],
  );
  const name = escapeControlCharacters(step.functionName ?? step.stepName);
  return (
    <div className={classes.code}>
      <SourceCode
        label={`Source of ${name}`}
        lines={lines}
        outcome={node.outcome}
        functionKey={buildFunctionKey(step.filePath, source.line)}
        isRow
        onFollow={onFollow && ((at) => onFollow(node, at))}
      />
    </div>
  );
}

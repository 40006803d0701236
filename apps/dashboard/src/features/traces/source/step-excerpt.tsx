import { findSource, type SourceFunction, type Step } from '@throughline/contract';
import { escapeControlCharacters, summariseInLine } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { SourceExcerpt } from '../../../visuals/source/source-excerpt.tsx';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';
import classes from './step-excerpt.module.css';
import { useStepSource } from './use-source.ts';
import { useSourceLines } from './use-source-lines.ts';

/** Maximum number of arguments that are shown for a call without source code. */
const MAX_ARGUMENTS = 4;

interface StepExcerptProps {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
}

/**
 * Shows the lines of source code that explain a call best, with the values of the call. Without source code, shows the arguments of the
 * call. Contains no controls.
 */
export function StepExcerpt({ loaded, node }: StepExcerptProps) {
  const { step } = node;
  const query = useStepSource(loaded.trace._id, step);
  const functions = query.data?.[0]?.functions;
  const source = useMemo(() => functions && findSource(functions, step), [functions, step]);
  if (functions !== undefined && source !== undefined)
    return <Lines loaded={loaded} node={node} source={source} functions={functions} />;
  return query.isLoading ? null : <Arguments loaded={loaded} step={step} />;
}

interface LinesProps extends StepExcerptProps {
  readonly source: SourceFunction;
  readonly functions: readonly SourceFunction[];
}

function Lines({ loaded, node, source, functions }: LinesProps) {
  const { step, lines } = useSourceLines({ loaded, step: node.step, source, functions }, true);
  const name = escapeControlCharacters(step.functionName ?? step.stepName);
  return <SourceExcerpt label={`Source of ${name}`} lines={lines} outcome={node.outcome} />;
}

/** The arguments of a call whose source code is unknown. */
function Arguments({ loaded, step: listed }: { readonly loaded: LoadedTrace; readonly step: Step }) {
  const step = useStepValues(loaded, listed, true).data ?? listed;
  const values = Object.entries(step.variables?.parameters ?? step.inputs ?? {}).slice(0, MAX_ARGUMENTS);
  if (values.length === 0) return null;
  return (
    <ul className={classes.arguments}>
      {values.map(([name, value]) => (
        <li key={name}>
          <span className={classes.argument}>{escapeControlCharacters(name)}</span>{' '}
          {escapeControlCharacters(summariseInLine(value))}
        </li>
      ))}
    </ul>
  );
}

import {
  findSource,
  formatCount,
  formatDuration,
  type SourceFunction,
  type Step,
} from '@throughline/contract';
import { escapeControlCharacters, summariseInLine } from '@throughline/contract/captured';
import { useMemo } from 'react';
import { DurationText } from '../../../ui/layout/badges.tsx';
import { SourceExcerpt } from '../../../visuals/source/source-excerpt.tsx';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { OutcomeIcon } from '../../../visuals/steps/outcome-icon.tsx';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import { findLine } from '../../../visuals/steps/thrown-line.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';
import { useStepSource } from '../source/use-source.ts';
import { useSourceLines } from '../source/use-source-lines.ts';
import classes from './trace-preview.module.css';

/** Maximum number of arguments that are shown for a call without source code. */
const MAX_ARGUMENTS = 4;

interface PreviewedEntryProps {
  readonly loaded: LoadedTrace;
  readonly entry: StepEntry;
}

/** A step or a bundle of repeated calls in a few lines: its name, its time, and the values of its call. */
export function PreviewedEntry({ loaded, entry }: PreviewedEntryProps) {
  if (entry.kind === 'step') return <PreviewedStep loaded={loaded} node={entry.node} />;
  const { first, calls, sumMs, medianMs, maxMs } = entry;
  return (
    <p className={classes.step}>
      <StepTypeIcon type={first.step.stepType} size={14} />
      <span className={classes.name}>{escapeControlCharacters(first.step.stepName)}</span>
      <span>×{formatCount(calls)}</span>
      <DurationText ms={sumMs} />
      <span className={classes.place}>
        median {formatDuration(medianMs)}, slowest {formatDuration(maxMs)}
      </span>
    </p>
  );
}

interface PreviewedStepProps {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
}

function PreviewedStep({ loaded, node }: PreviewedStepProps) {
  const { step, outcome } = node;
  const query = useStepSource(loaded.trace._id, step);
  const functions = query.data?.[0]?.functions;
  const source = useMemo(() => functions && findSource(functions, step), [functions, step]);
  const line = findLine(step);
  return (
    <section aria-label={`Step ${node.number}: ${escapeControlCharacters(step.stepName)}`}>
      <p className={classes.step}>
        <StepTypeIcon type={step.stepType} size={14} />
        <span className={classes.name}>{escapeControlCharacters(step.stepName)}</span>
        {outcome !== 'ended' && <OutcomeIcon outcome={outcome} size={14} />}
        <DurationText ms={step.duration} />
        {step.filePath !== null && (
          <span className={`mono ${classes.place}`}>
            {escapeControlCharacters(step.filePath)}
            {line !== null && `:${line}`}
          </span>
        )}
      </p>
      {functions !== undefined && source !== undefined ? (
        <Excerpt loaded={loaded} node={node} source={source} functions={functions} />
      ) : (
        !query.isLoading && <Arguments loaded={loaded} step={step} />
      )}
    </section>
  );
}

interface ExcerptProps extends PreviewedStepProps {
  readonly source: SourceFunction;
  readonly functions: readonly SourceFunction[];
}

function Excerpt({ loaded, node, source, functions }: ExcerptProps) {
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

import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { DurationText } from '../../../ui/layout/badges.tsx';
import type { StepEntry } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { OutcomeIcon } from '../../../visuals/steps/outcome-icon.tsx';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import { findLine } from '../../../visuals/steps/thrown-line.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { StepExcerpt } from '../source/step-excerpt.tsx';
import classes from './trace-preview.module.css';

interface PreviewedEntryProps {
  readonly loaded: LoadedTrace;
  readonly entry: StepEntry;
}

/** A step or a bundle of repeated calls in a few lines: its name, its time, and the values of its call. */
export function PreviewedEntry({ loaded, entry }: PreviewedEntryProps) {
  if (entry.kind === 'step') return <PreviewedStep loaded={loaded} node={entry.node} />;
  const { first, calls, sumMs, medianMs, maxMs } = entry;
  return (
    <section aria-label={`${formatCount(calls)} calls of ${escapeControlCharacters(first.step.stepName)}`}>
      <p className={classes.step}>
        <StepTypeIcon type={first.step.stepType} size={14} />
        <span className={classes.name}>{escapeControlCharacters(first.step.stepName)}</span>
        <span>×{formatCount(calls)}</span>
        <DurationText ms={sumMs} />
        <span className={classes.place}>
          median {formatDuration(medianMs)}, slowest {formatDuration(maxMs)}
        </span>
      </p>
      <StepExcerpt loaded={loaded} node={first} />
    </section>
  );
}

interface PreviewedStepProps {
  readonly loaded: LoadedTrace;
  readonly node: StepNode;
}

function PreviewedStep({ loaded, node }: PreviewedStepProps) {
  const { step, outcome } = node;
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
      <StepExcerpt loaded={loaded} node={node} />
    </section>
  );
}

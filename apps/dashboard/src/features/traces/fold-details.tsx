import { formatCount, formatDuration } from '@throughline/contract';
import { DurationText } from '../../ui/badges.tsx';
import type { FoldEntry } from '../../visuals/steps/fold-repeats.ts';
import { StepTypeIcon } from '../../visuals/steps/step-type.tsx';
import { escapeControlCharacters } from '../../visuals/values/escape-control-characters.ts';
import classes from './step-details.module.css';
import { Fact, Place } from './step-facts.tsx';

/** So many of the slowest are listed; the rest is in the step tree. */
const LISTED = 100;

interface FoldDetailsProps {
  readonly fold: FoldEntry;
  readonly onSelect: (key: string) => void;
}

/** A bundle of alike calls: how long they took, and the slowest of them to look into. */
export function FoldDetails({ fold, onSelect }: FoldDetailsProps) {
  const { step } = fold.first;
  const slowest = fold.nodes.toSorted((a, b) => b.step.duration - a.step.duration).slice(0, LISTED);
  const facts = [
    ['Calls', formatCount(fold.calls)],
    ['Together', formatDuration(fold.sumMs)],
    ['Fastest', formatDuration(fold.minMs)],
    ['Median', formatDuration(fold.medianMs)],
    ['Slowest', formatDuration(fold.maxMs)],
  ] as const;
  return (
    <section
      aria-label={`${formatCount(fold.calls)} calls of ${escapeControlCharacters(step.stepName)}`}
      className={classes.root}
    >
      <header className={classes.header}>
        <h2 className={classes.name}>
          <StepTypeIcon type={step.stepType} size={16} />
          <span>{escapeControlCharacters(step.stepName)}</span>
          <span className={classes.type}>×{formatCount(fold.calls)}</span>
        </h2>
        <dl className={classes.facts}>
          {facts.map(([name, text]) => (
            <Fact key={name} name={name}>
              <span className="figures">{text}</span>
            </Fact>
          ))}
          <Place step={step} />
        </dl>
      </header>
      <h3 className={classes.partTitle}>Slowest first</h3>
      <ol className={classes.calls}>
        {slowest.map((node) => (
          <li key={node.key}>
            <button type="button" onClick={() => onSelect(node.key)}>
              <span className="figures">{node.number}</span>
              <span>
                {escapeControlCharacters(node.step.stepName)}
                {node.step.repeat !== undefined && ` ×${formatCount(node.step.repeat.count)}`}
              </span>
              <span className={classes.note}>+{formatDuration(Math.max(0, node.startMs))}</span>
              <DurationText ms={node.step.duration} />
            </button>
          </li>
        ))}
      </ol>
      {fold.nodes.length > LISTED && (
        <p className={classes.missing}>
          The {formatCount(fold.nodes.length - LISTED)} others are in the step tree, opened there.
        </p>
      )}
    </section>
  );
}

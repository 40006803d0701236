import { useMemo } from 'react';
import type { StepOutcome } from '../steps/step-outcome.ts';
import type { SourceLine } from './annotate-source.ts';
import { chooseExcerpt } from './choose-excerpt.ts';
import { CodeLine } from './code-line.tsx';
import classes from './source-code.module.css';

interface SourceExcerptProps {
  /** The accessible name: "Source of taxFor". */
  readonly label: string;
  readonly lines: readonly SourceLine[];
  /** How the step of the call ended. */
  readonly outcome: StepOutcome;
}

/** The lines of a function that explain one call best, with the values of the call. Renders nothing if no line has a value. */
export function SourceExcerpt({ label, lines, outcome }: SourceExcerptProps) {
  const shown = useMemo(() => chooseExcerpt(lines), [lines]);
  if (shown.length === 0) return null;
  return (
    <div className={classes.root}>
      <ol className={classes.lines} aria-label={label}>
        {shown.map((line, at) => (
          <CodeLine
            key={line.number}
            line={line}
            outcome={outcome}
            isAfterGap={at > 0 && shown[at - 1]?.number !== line.number - 1}
            isNoted={false}
            isRow
            active={-1}
            onFollow={undefined}
          />
        ))}
      </ol>
    </div>
  );
}

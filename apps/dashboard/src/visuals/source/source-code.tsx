import type { SourceFunction } from '@throughline/contract';
import { useMemo } from 'react';
import type { StepOutcome } from '../steps/step-outcome.ts';
import type { SourceLine } from './annotate-source.ts';
import type { ValuePosition } from './captured-names.ts';
import { CodeLine } from './code-line.tsx';
import classes from './source-code.module.css';
import { useActiveButton } from './use-active-button.ts';
import { useWholeFunctions } from './whole-functions.tsx';

/** Maximum number of lines of a function that are shown at first. A longer function is cut: `chooseLines` selects the lines. */
const SHOWN_LINES = 40;
const LINES_BEFORE = 14;

/** True for a function that is too long to be shown whole. */
export function isLongSource({ text }: SourceFunction): boolean {
  return text.split('\n').length > SHOWN_LINES;
}

interface SourceCodeProps {
  /** The accessible name: "Source of taxFor". */
  readonly label: string;
  readonly lines: readonly SourceLine[];
  /** How the step of the call ended. */
  readonly outcome: StepOutcome;
  /** The key by which the page remembers that the function is shown whole. */
  readonly functionKey: string;
  /** True in a row of a list: the list has the legend and handles the keys, and its rows must not contain a button. */
  readonly isRow?: boolean;
  /** Follows a value through the request. */
  readonly onFollow?: ((at: ValuePosition) => void) | undefined;
}

/** Shows a function's lines with line numbers and the values of one call. */
export function SourceCode({ label, lines, outcome, functionKey, isRow = false, onFollow }: SourceCodeProps) {
  const whole = useWholeFunctions();
  const isWhole = whole.shown.has(functionKey);
  const shown = useMemo(() => (isWhole ? lines : chooseLines(lines)), [isWhole, lines]);
  const noted = useMemo(() => listNoted(shown), [shown]);
  const { active, handlers } = useActiveButton();
  // For each line, the number of buttons in the lines before it.
  const firsts = useMemo(() => countFollowed(shown), [shown]);
  return (
    <div className={classes.root}>
      <ol className={classes.lines} aria-label={label} {...(isRow ? {} : handlers)}>
        {shown.map((line, at) => (
          <CodeLine
            key={line.number}
            line={line}
            outcome={outcome}
            isAfterGap={at > 0 && shown[at - 1]?.number !== line.number - 1}
            isNoted={noted.has(line)}
            isRow={isRow}
            active={active - (firsts[at] ?? 0)}
            onFollow={onFollow}
          />
        ))}
      </ol>
      {isRow && shown.length < lines.length && (
        <span
          aria-hidden
          className={classes.more}
          onClick={(event) => {
            event.stopPropagation();
            whole.show(functionKey);
          }}
        >
          Show the whole function ({lines.length} lines) <kbd>Enter</kbd>
        </span>
      )}
      {!isRow && shown.length < lines.length && (
        <button type="button" className={classes.more} onClick={() => whole.show(functionKey)}>
          Show all {lines.length} lines
        </button>
      )}
      {!isRow && lines.some(({ isRun }) => isRun !== undefined) && <RunLegend />}
    </div>
  );
}

/** Explains the marks of lines that ran and of lines that were not reached. Each line has the same words for assistive technology. */
export function RunLegend() {
  return (
    <p className={classes.legend} aria-hidden>
      <span data-run="yes">ran</span>
      <span data-run="no">not reached</span>
      <span>no mark: not known</span>
    </p>
  );
}

/**
 * Finds the lines that show *not reached*: of successive lines that were not reached, only the first. Lines without a mark do not count.
 */
function listNoted(lines: readonly SourceLine[]): ReadonlySet<SourceLine> {
  const known = lines.filter(({ isRun }) => isRun !== undefined);
  return new Set(known.filter(({ isRun }, at) => isRun === false && known[at - 1]?.isRun !== false));
}

/** Counts, for each line, the values in the lines before it that can be followed. */
function countFollowed(lines: readonly SourceLine[]): readonly number[] {
  let before = 0;
  return lines.map(({ values }) => {
    const first = before;
    before += values.filter(({ at }) => at !== undefined).length;
    return first;
  });
}

/** Selects the function's first line and the lines around the line that threw. If no line threw, selects the beginning. */
function chooseLines(lines: readonly SourceLine[]): readonly SourceLine[] {
  if (lines.length <= SHOWN_LINES) return lines;
  const thrown = lines.findIndex(({ isThrown }) => isThrown);
  const from = Math.max(0, Math.min(thrown - LINES_BEFORE, lines.length - SHOWN_LINES + 1));
  const around = lines.slice(from, from + SHOWN_LINES - 1);
  return from === 0 ? around : [...lines.slice(0, 1), ...around];
}

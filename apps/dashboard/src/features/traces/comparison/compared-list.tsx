import { formatCount, formatCounted, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { RowList } from '../../../visuals/rows/row-list.tsx';
import { OutcomeIcon } from '../../../visuals/steps/outcome-icon.tsx';
import { THROWN_WORDS, type ThrownAs } from '../../../visuals/steps/step-outcome.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import type { ComparedRow } from './compared-rows.ts';
import classes from './comparison.module.css';

const ROW_PX = 28;
/** Deeper calls are not indented further. */
const MAX_LEVELS = 12;
/** A call counts as slower if it took at least `ratio` times as long as in the other request, and at least `ms` milliseconds longer. */
const SLOWER = { ratio: 2, ms: 20 } as const;

/** How the calls that threw are shown, for each of the two requests. */
export interface ThrownInBoth {
  readonly here: ThrownAs;
  readonly other: ThrownAs;
}

interface ComparedListProps {
  readonly rows: readonly ComparedRow[];
  readonly thrownAs: ThrownInBoth;
  readonly chosen: string | undefined;
  readonly onChoose: (row: ComparedRow) => void;
}

/** The calls of both requests with both durations. Repeated calls can share a row. */
export function ComparedList({ rows, thrownAs, chosen, onChoose }: ComparedListProps) {
  return (
    <RowList
      label="Calls of both requests"
      rows={rows}
      rowPx={ROW_PX}
      getKey={({ key }) => key}
      describe={(row) => describeRow(row, thrownAs)}
      chosen={chosen}
      onChoose={onChoose}
      head={
        <div className={`${classes.row} ${classes.head}`} aria-hidden>
          <span>Call</span>
          <span>This</span>
          <span>Other</span>
          <span>Change</span>
        </div>
      }
    >
      {(row) => <Line row={row} thrownAs={thrownAs.here} />}
    </RowList>
  );
}

function Line({ row, thrownAs }: { readonly row: ComparedRow; readonly thrownAs: ThrownAs }) {
  const { step, count, ms, otherMs } = row;
  return (
    <div className={classes.row} data-side={findSide(row)}>
      <span className={classes.name} style={{ '--level': Math.min(step.depth, MAX_LEVELS) }}>
        {step.failed ? <OutcomeIcon outcome={thrownAs} isDecorative /> : <StepTypeIcon type={step.type} />}
        <span className={classes.text} title={escapeControlCharacters(step.name)}>
          {escapeControlCharacters(step.name)}
        </span>
        {count > 1 && <span className={classes.count}>×{formatCount(count)}</span>}
        {listMarks(row).map(({ text, short, tone }) => (
          <span key={text} className={classes.mark} data-tone={tone} title={text}>
            <span className={classes.long}>{text}</span>
            <span className={classes.short}>{short}</span>
          </span>
        ))}
      </span>
      <span className={classes.time}>{ms === null ? '–' : formatDuration(ms)}</span>
      <span className={classes.time}>{otherMs === null ? '–' : formatDuration(otherMs)}</span>
      <span className={classes.time} data-slower={isSlower(row)}>
        {formatChange(row)}
      </span>
    </div>
  );
}

function findSide({ step }: ComparedRow): 'both' | 'this' | 'other' {
  if (step.other === null) return 'this';
  return step.step === null ? 'other' : 'both';
}

interface Mark {
  readonly text: string;
  /** Shorter text for a narrow list, in which the mark is below the column titles "This" and "Other". */
  readonly short: string;
  readonly tone: 'unusual' | 'plain';
}

function listMarks(row: ComparedRow): readonly Mark[] {
  const { step } = row;
  const side = findSide(row);
  const marks: Mark[] = [];
  if (side === 'this') marks.push({ text: 'only in this request', short: 'only this', tone: 'plain' });
  if (side === 'other') marks.push({ text: 'only in the other request', short: 'only other', tone: 'plain' });
  if (step.moved) marks.push({ text: 'in a different order', short: 'order', tone: 'plain' });
  if (step.unusual > 0) {
    const short = `${formatCount(step.unusual)} unusual`;
    marks.push({ text: formatCounted(step.unusual, 'unusual value'), short, tone: 'unusual' });
  }
  return marks;
}

function isSlower({ ms, otherMs }: ComparedRow): boolean {
  return ms !== null && otherMs !== null && ms >= otherMs * SLOWER.ratio && ms - otherMs >= SLOWER.ms;
}

function formatChange({ ms, otherMs }: ComparedRow): string {
  if (ms === null || otherMs === null) return '';
  const change = ms - otherMs;
  if (change === 0) return '0 ms';
  return `${change > 0 ? '+' : '−'}${formatDuration(Math.abs(change))}`;
}

export function describeRow(row: ComparedRow, thrownAs: ThrownInBoth): string {
  const { step, count, ms, otherMs } = row;
  const times = [
    ms === null ? undefined : `${formatDuration(ms)} here`,
    otherMs === null ? undefined : `${formatDuration(otherMs)} in the other request`,
  ].filter((time) => time !== undefined);
  return [
    escapeControlCharacters(step.name) + (count > 1 ? `, ${formatCount(count)} calls` : ''),
    ...(step.failed ? [`${THROWN_WORDS[thrownAs.here]} here`] : []),
    ...(step.otherFailed ? [`${THROWN_WORDS[thrownAs.other]} in the other request`] : []),
    ...listMarks(row).map(({ text }) => text),
    ...times,
  ].join(', ');
}

import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { formatCount, formatCounted, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { RowList } from '../../../visuals/rows/row-list.tsx';
import { OutcomeIcon } from '../../../visuals/steps/outcome-icon.tsx';
import type { ThrownAs } from '../../../visuals/steps/step-outcome.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import {
  describeRow,
  findSide,
  formatChange,
  isSlower,
  listMarks,
  type ThrownInBoth,
} from './compared-marks.ts';
import classes from './comparison.module.css';
import { chooseFoldAction, type ShownRow } from './folded-rows.ts';

const ROW_PX = 28;
/** Deeper calls are not indented further. */
const MAX_LEVELS = 12;

interface ComparedListProps {
  readonly rows: readonly ShownRow[];
  /** The keys of the rows that do not differ between the requests, and below which no call differs. */
  readonly equal: ReadonlySet<string>;
  readonly thrownAs: ThrownInBoth;
  readonly chosen: string | undefined;
  readonly onChoose: (row: ShownRow) => void;
  /** Folds or unfolds the calls below a row. */
  readonly onFold: (row: ShownRow) => void;
}

/**
 * The calls of both requests with both durations. Repeated calls can share a row. The left and right arrow keys fold the calls below a row.
 */
export function ComparedList({ rows, equal, thrownAs, chosen, onChoose, onFold }: ComparedListProps) {
  return (
    <RowList
      label="Calls of both requests"
      rows={rows}
      rowPx={ROW_PX}
      getKey={({ key }) => key}
      describe={(row) => {
        const words = describeRow(row, thrownAs);
        return row.isFolded ? `${words}, ${describeFolded(row, equal.has(row.key))}` : words;
      }}
      chosen={chosen}
      onChoose={onChoose}
      onKey={(key, row) => {
        const action = chooseFoldAction(key, row, rows);
        if (action === 'toggle') onFold(row);
        else if (action !== undefined) onChoose(action.select);
        return action !== undefined;
      }}
      head={
        <div className={`${classes.row} ${classes.head}`} aria-hidden>
          <span>Call</span>
          <span>This</span>
          <span>Other</span>
          <span>Change</span>
        </div>
      }
    >
      {(row) => (
        <Line row={row} isEqual={equal.has(row.key)} thrownAs={thrownAs.here} onFold={() => onFold(row)} />
      )}
    </RowList>
  );
}

function describeFolded({ below }: ShownRow, isEqual: boolean): string {
  return `${formatCounted(below, isEqual ? 'equal call' : 'call')} below, collapsed`;
}

interface LineProps {
  readonly row: ShownRow;
  readonly isEqual: boolean;
  readonly thrownAs: ThrownAs;
  readonly onFold: () => void;
}

function Line({ row, isEqual, thrownAs, onFold }: LineProps) {
  const { step, count, ms, otherMs } = row;
  return (
    <div className={classes.row} data-side={findSide(row)}>
      <span className={classes.name} style={{ '--level': Math.min(step.depth, MAX_LEVELS) }}>
        <Twisty row={row} onFold={onFold} />
        {step.failed ? <OutcomeIcon outcome={thrownAs} isDecorative /> : <StepTypeIcon type={step.type} />}
        <span className={classes.text} title={escapeControlCharacters(step.name)}>
          {escapeControlCharacters(step.name)}
        </span>
        {row.isFolded && (
          <span className={classes.count} title={describeFolded(row, isEqual)}>
            +{formatCount(row.below)}
            {isEqual && <span className={classes.long}> equal</span>}
          </span>
        )}
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

/** Folds the calls below a row by pointer; the list's arrow keys do the same. */
function Twisty({ row, onFold }: Pick<LineProps, 'row' | 'onFold'>) {
  if (row.below === 0) return <span className={classes.twisty} />;
  const Icon = row.isFolded ? IconChevronRight : IconChevronDown;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list has the keys
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
    <span
      className={classes.twisty}
      data-folds
      onClick={(event) => {
        event.stopPropagation();
        onFold();
      }}
    >
      <Icon size={14} aria-hidden />
    </span>
  );
}

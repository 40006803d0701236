import { escapeControlCharacters } from '@throughline/contract/captured';
import { OutcomeIcon } from '../steps/outcome-icon.tsx';
import type { StepOutcome } from '../steps/step-outcome.ts';
import { FollowText } from '../values/follow-action.tsx';
import type { LineValue, SourceLine } from './annotate-source.ts';
import type { ValuePosition } from './captured-names.ts';
import classes from './source-code.module.css';

interface CodeLineProps {
  readonly line: SourceLine;
  /** How the step of the call ended. */
  readonly outcome: StepOutcome;
  readonly isAfterGap: boolean;
  /** True if the line shows the words "not reached". Other lines that were not reached have these words only for assistive technology. */
  readonly isNoted: boolean;
  readonly isRow: boolean;
  /** The index, among the line's buttons, of the button that the Tab key reaches. */
  readonly active: number;
  readonly onFollow: ((at: ValuePosition) => void) | undefined;
}

/** A line of a function with its number, and the values of one call. */
export function CodeLine({ line, outcome, isAfterGap, isNoted, isRow, active, onFollow }: CodeLineProps) {
  const { number, tokens, values, isThrown, isRun } = line;
  const followed = values.filter(({ at }) => at !== undefined);
  return (
    <li
      value={number}
      className={classes.line}
      data-thrown={isThrown ? outcome : undefined}
      data-run={isRun === undefined ? undefined : isRun ? 'yes' : 'no'}
      data-after-gap={isAfterGap || undefined}
    >
      <span className={classes.number} aria-hidden>
        {number}
      </span>
      <span className={classes.text}>
        {isThrown && <span className="visually-hidden">Threw here: </span>}
        <code>
          {tokens.map(({ kind, text }, at) =>
            kind === 'other' || kind === 'name' ? (
              escapeControlCharacters(text)
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces have no ids and keep their order
              <span key={at} className={classes[kind === 'number' ? 'figure' : kind]}>
                {escapeControlCharacters(text)}
              </span>
            ),
          )}
        </code>
        {values.map((value) => (
          <Value
            key={value.label}
            value={value}
            outcome={outcome}
            isRow={isRow}
            isActive={followed.indexOf(value) === active}
            onFollow={onFollow}
          />
        ))}
        {isRun === false && (
          <span className={isNoted ? classes.note : `visually-hidden ${classes.note}`}> not reached</span>
        )}
        {isRun === true && <span className={`visually-hidden ${classes.note}`}> ran</span>}
      </span>
    </li>
  );
}

interface ValueProps extends Pick<CodeLineProps, 'outcome' | 'isRow' | 'onFollow'> {
  readonly value: LineValue;
  /** True if the Tab key reaches the value. */
  readonly isActive: boolean;
}

function Value({ value: { label, text, when, at }, outcome, isRow, isActive, onFollow }: ValueProps) {
  const thrownAs = label === 'threw' && outcome !== 'ended' ? outcome : undefined;
  const followed = `${classes.value} ${classes.followed}`;
  const content = (
    <>
      <span className={classes.label}>{label}</span> {text}
      {when !== undefined && <span className={classes.label}> {when}</span>}
    </>
  );
  if (onFollow === undefined || at === undefined)
    return (
      <>
        {' '}
        <span className={classes.value} data-threw={thrownAs}>
          {thrownAs !== undefined && (
            <span className={classes.mark}>
              <OutcomeIcon outcome={thrownAs} size={12} />
            </span>
          )}
          {content}
        </span>
      </>
    );
  return (
    <>
      {' '}
      {isRow ? (
        // biome-ignore lint/a11y/noStaticElementInteractions: the list has the keys
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
        <span className={followed} title="Where did it come from? (w)" onClick={() => onFollow(at)}>
          {content}
        </span>
      ) : (
        <FollowText
          name={label === 'returned' ? 'the return value' : label}
          text={[label, text, when].filter((part) => part !== undefined).join(' ')}
          className={followed}
          isActive={isActive}
          onFollow={() => onFollow(at)}
        >
          {content}
        </FollowText>
      )}
    </>
  );
}

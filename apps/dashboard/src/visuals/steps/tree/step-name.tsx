import { IconChevronDown, IconChevronRight, IconTimeline } from '@tabler/icons-react';
import { formatCount, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { stepHue } from '../../../shell/theme/tones.ts';
import { countCalls, findEntryOutcome, findFirstNode, type StepEntry } from '../analysis/bundle-repeats.ts';
import { type CriticalPath, isCritical } from '../analysis/critical-path.ts';
import { MIN_CHAIN } from '../analysis/recursion.ts';
import { OutcomeIcon } from '../outcome-icon.tsx';
import { STEP_TYPE_WORDS, StepTypeIcon } from '../step-type.tsx';
import type { StepRow } from './step-rows.ts';
import classes from './step-tree.module.css';

interface StepNameProps {
  readonly row: StepRow;
  /** The critical path to mark; undefined to mark nothing. */
  readonly critical: CriticalPath | undefined;
  /** The argument that distinguishes the call from the other calls of its bundle. */
  readonly argument: string | undefined;
  /** The function's result; undefined to show none. */
  readonly result: string | undefined;
  readonly onToggle: () => void;
}

/**
 * Matches a function with its class or object, such as `Database.query`. The style sheet draws such a name as right-to-left text, so that
 * the start of a long name is cut, not its end. Names with other characters at their ends do not match, because right-to-left text would
 * move these characters.
 */
const QUALIFIED = /^[A-Za-z][\w.]*\.\w*[A-Za-z0-9]$/;

/** The first part of a row: the step's type, outcome, name and number of calls. */
export function StepName({ row, critical, argument, result, onToggle }: StepNameProps) {
  const { entry } = row;
  const { step } = findFirstNode(entry);
  const outcome = findEntryOutcome(entry);
  const calls = countCalls(entry);
  const word = STEP_TYPE_WORDS[step.stepType];
  const name = escapeControlCharacters(step.stepName);
  return (
    <span className={`${classes.name} ${outcome === 'failed' ? classes.failed : ''}`}>
      <Twisty open={row.open} onToggle={onToggle} />
      {outcome === 'ended' ? <StepTypeIcon type={step.stepType} /> : <OutcomeIcon outcome={outcome} />}
      <span
        className={classes.text}
        data-name
        data-qualified={QUALIFIED.test(name) || undefined}
        title={name}
      >
        {name}
      </span>
      {word !== '' && (
        <span className={classes.type} style={{ color: stepHue(step.stepType) }}>
          {word}
        </span>
      )}
      {row.foundIn !== undefined && <span className={classes.foundIn}>in {row.foundIn}</span>}
      {argument !== undefined && (
        <span className={classes.argument} title={argument}>
          {argument}
        </span>
      )}
      {/* The panel of the selected step reads the result aloud, so the row's name stays short. */}
      {result !== undefined && (
        <span className={classes.argument} title={result} aria-hidden>
          {result}
        </span>
      )}
      {row.chain >= MIN_CHAIN && <span className={classes.times}>×{formatCount(row.chain)} deep</span>}
      {calls > 1 && <span className={classes.times}>×{formatCount(calls)}</span>}
      {row.open === false && entry.kind === 'step' && (
        <span className={classes.below} title={`${formatCounted(entry.node.below, 'step')} below, collapsed`}>
          +{formatCount(entry.node.below)}
        </span>
      )}
      {critical !== undefined && isCritical(entry, critical) && (
        <IconTimeline size={13} className={classes.onPath} role="img" aria-label="on the critical path" />
      )}
    </span>
  );
}

function Twisty({ open, onToggle }: { readonly open: boolean | undefined; readonly onToggle: () => void }) {
  if (open === undefined) return <span className={classes.twisty} />;
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      className={classes.twisty}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon size={14} />
    </button>
  );
}

/** Returns a step's duration, or the total duration of a bundle's members. */
export function computeEntryMs(entry: StepEntry): number {
  return entry.kind === 'step' ? entry.node.step.duration : entry.sumMs;
}

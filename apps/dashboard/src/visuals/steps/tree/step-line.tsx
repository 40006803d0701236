import { IconAlertCircleFilled, IconChevronDown, IconChevronRight, IconTimeline } from '@tabler/icons-react';
import { durationTone, formatCount, formatDuration, SLOW_MS } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { stepHue, toneColour } from '../../../shell/theme/tones.ts';
import { type CriticalPath, criticalStretches, isCritical } from '../analysis/critical-path.ts';
import { countCalls, firstNode, type StepEntry } from '../analysis/fold-repeats.ts';
import { STEP_TYPE_WORDS, StepTypeIcon } from '../step-type.tsx';
import type { StepRow } from './step-rows.ts';
import classes from './step-tree.module.css';

interface StepLineProps {
  readonly row: StepRow;
  /** The duration of a bar's full width. Milliseconds. */
  readonly totalMs: number;
  readonly critical?: CriticalPath | undefined;
  readonly onToggle: () => void;
}

/** One line of the step tree: what it is, how long it took, and when in the request. */
export function StepLine({ row, totalMs, critical, onToggle }: StepLineProps) {
  const { entry } = row;
  const { step, selfMs } = firstNode(entry);
  const failed = entry.kind === 'step' && step.error !== null;
  const ms = entryMs(entry);
  return (
    <>
      <StepName row={row} critical={critical} onToggle={onToggle} />
      <span className={classes.self} title="Self time: the step without the steps below it">
        {entry.kind === 'step' && row.open !== undefined && `self ${formatDuration(selfMs)}`}
      </span>
      <span className={classes.duration} style={ms > SLOW_MS ? { color: toneColour(durationTone(ms)) } : {}}>
        {formatDuration(ms)}
      </span>
      <span className={classes.track} aria-hidden>
        <Bar entry={entry} totalMs={totalMs} failed={failed} />
        {critical !== undefined &&
          criticalStretches(entry, critical).map(({ fromMs, toMs }) => (
            <span
              key={fromMs}
              className={classes.critical}
              style={{ left: share(fromMs, totalMs), width: share(toMs - fromMs, totalMs) }}
            />
          ))}
      </span>
    </>
  );
}

/** A line's first part: what it is, how it went, and how often. */
export function StepName({ row, critical, onToggle }: Omit<StepLineProps, 'totalMs'>) {
  const { entry } = row;
  const { step } = firstNode(entry);
  const failed = entry.kind === 'step' && step.error !== null;
  const calls = countCalls(entry);
  const word = STEP_TYPE_WORDS[step.stepType];
  return (
    <span className={`${classes.name} ${failed ? classes.failed : ''}`}>
      <Twisty open={row.open} onToggle={onToggle} />
      {failed ? (
        <IconAlertCircleFilled size={14} className={classes.error} role="img" aria-label="failed" />
      ) : (
        <StepTypeIcon type={step.stepType} />
      )}
      <span className={classes.text} data-name title={escapeControlCharacters(step.stepName)}>
        {escapeControlCharacters(step.stepName)}
      </span>
      {word !== '' && (
        <span className={classes.type} style={{ color: stepHue(step.stepType) }}>
          {word}
        </span>
      )}
      {row.foundIn !== undefined && <span className={classes.foundIn}>in {row.foundIn}</span>}
      {calls > 1 && <span className={classes.times}>×{formatCount(calls)}</span>}
      {row.open === false && entry.kind === 'step' && (
        <span className={classes.below} title={`${formatCount(entry.node.below)} steps below, collapsed`}>
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

function Bar({ entry, totalMs, failed }: { entry: StepEntry; totalMs: number; failed: boolean }) {
  const { startMs, step } = firstNode(entry);
  return (
    <span
      className={classes.bar}
      style={{
        left: `min(${share(startMs, totalMs)}, calc(100% - 2px))`,
        width: share(Math.min(entryMs(entry), totalMs - startMs), totalMs),
        background: failed ? toneColour('red', 'fill') : stepHue(step.stepType),
      }}
    />
  );
}

/** A part of the whole as CSS. */
function share(ms: number, totalMs: number): string {
  return `${Math.min(100, Math.max(0, (ms / Math.max(totalMs, 0.001)) * 100))}%`;
}

/** A step's duration; a bundle's, all its members' together. */
export function entryMs(entry: StepEntry): number {
  return entry.kind === 'step' ? entry.node.step.duration : entry.sumMs;
}

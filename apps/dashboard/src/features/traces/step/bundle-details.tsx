import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useCallback, useMemo } from 'react';
import { DurationText } from '../../../ui/layout/badges.tsx';
import { type BundleEntry, countStepsBelow } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { measureBusyTime, timeInsideWork } from '../../../visuals/steps/analysis/time-inside.ts';
import { StepTypeIcon } from '../../../visuals/steps/step-type.tsx';
import { useWork } from '../../../visuals/work/use-work.ts';
import type { LoadedTrace } from '../data/queries.ts';
import { StepExcerpt } from '../source/step-excerpt.tsx';
import classes from './step-details.module.css';
import { Fact, Place } from './step-facts.tsx';

/** Maximum number of the slowest calls that are listed; the step tree shows all calls. */
const LISTED = 100;

interface BundleDetailsProps {
  readonly loaded: LoadedTrace;
  readonly bundle: BundleEntry;
  readonly onSelect: (key: string) => void;
}

/** The details of a bundle of repeated calls: their durations, the first call with its values, and the slowest calls. */
export function BundleDetails({ loaded, bundle, onSelect }: BundleDetailsProps) {
  const durationMs = loaded.trace.timing.duration;
  const { step } = bundle.first;
  const slowest = bundle.nodes.toSorted((a, b) => b.step.duration - a.step.duration).slice(0, LISTED);
  const facts = [
    ['Calls', formatCount(bundle.calls)],
    ['Total', formatDuration(bundle.sumMs)],
    ['Share of request', formatShare(measureBusyTime(bundle.nodes, durationMs), durationMs)],
    ['Fastest', formatDuration(bundle.minMs)],
    ['Median', formatDuration(bundle.medianMs)],
    ['Slowest', formatDuration(bundle.maxMs)],
  ] as const;
  return (
    <section
      aria-label={`${formatCount(bundle.calls)} calls of ${escapeControlCharacters(step.stepName)}`}
      className={classes.root}
    >
      <header className={classes.header}>
        <h2 className={classes.name}>
          <StepTypeIcon type={step.stepType} size={16} />
          <span>{escapeControlCharacters(step.stepName)}</span>
          <span className={classes.type}>×{formatCount(bundle.calls)}</span>
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
      <TimeInside bundle={bundle} onSelect={onSelect} />
      <div className={classes.firstCall}>
        <h3 className={classes.partTitle}>First call</h3>
        <StepExcerpt loaded={loaded} node={bundle.first} />
      </div>
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
      {bundle.nodes.length > LISTED && (
        <p className={classes.missing}>{formatCount(bundle.nodes.length - LISTED)} more in the step tree</p>
      )}
    </section>
  );
}

/** Maximum number of functions that `TimeInside` lists: the functions with the most self time. */
const NAMED = 5;

/** Shows where the calls spent their time: in themselves or in their descendants. Renders nothing for calls without children. */
function TimeInside({ bundle, onSelect }: Pick<BundleDetailsProps, 'bundle' | 'onSelect'>) {
  const { nodes } = bundle;
  const begin = useCallback(() => timeInsideWork(nodes), [nodes]);
  const steps = useMemo(() => countStepsBelow(bundle), [bundle]);
  const shares = useWork(begin, steps);
  if (steps === nodes.length || shares === undefined) return null;
  const allMs = shares.reduce((sum, { selfMs }) => sum + selfMs, 0);
  return (
    <>
      <h3 className={classes.partTitle}>Where the time went</h3>
      <ul className={classes.calls}>
        {shares.slice(0, NAMED).map(({ longest, calls, selfMs }) => (
          <li key={longest.key}>
            <button
              type="button"
              title="Go to the longest of these calls"
              onClick={() => onSelect(longest.key)}
            >
              <StepTypeIcon type={longest.step.stepType} />
              <span>
                {escapeControlCharacters(longest.step.stepName)}
                {calls > 1 && ` ×${formatCount(calls)}`}
              </span>
              <span className={classes.note}>{formatShare(selfMs, allMs)}</span>
              <DurationText ms={selfMs} />
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function formatShare(ms: number, allMs: number): string {
  const percent = allMs > 0 ? Math.min(100, (ms / allMs) * 100) : 0;
  return percent > 0 && percent < 0.5 ? '< 1 %' : `${Math.round(percent)} %`;
}

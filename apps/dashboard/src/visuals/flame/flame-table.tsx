import { formatCount, formatDuration } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useCallback } from 'react';
import { StepTypeIcon } from '../steps/step-type.tsx';
import { useWork } from '../work/use-work.ts';
import { Working } from '../work/working.tsx';
import classes from './flame.module.css';
import { type FlameTree, type Frame, listFunctionTimesWork } from './flame-tree.ts';

/** Maximum number of functions that are listed. */
const LISTED = 200;

interface FlameTableProps {
  readonly tree: FlameTree;
  readonly current: Frame | undefined;
  readonly onSelect: (frame: Frame) => void;
}

/** A table of a trace's functions, sorted by self time; at most `LISTED` functions. */
export function FlameTable({ tree, current, onSelect }: FlameTableProps) {
  const functions = useWork(
    useCallback(() => listFunctionTimesWork(tree), [tree]),
    tree.all.length,
  );
  if (functions === undefined) return <Working what="functions" />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling elements must be reachable by keyboard
    <section className={classes.tableBox} aria-label="Functions by time" tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Function</th>
            <th scope="col">Calls</th>
            <th scope="col">Self</th>
            <th scope="col">Total</th>
          </tr>
        </thead>
        <tbody>
          {functions.slice(0, LISTED).map(({ frame, calls, selfMs, totalMs }) => (
            <tr key={frame.index} data-current={frame === current}>
              <th scope="row">
                <button type="button" onClick={() => onSelect(frame)}>
                  {frame.nodes[0] !== undefined && <StepTypeIcon type={frame.nodes[0].step.stepType} />}
                  <span>{escapeControlCharacters(frame.name)}</span>
                </button>
              </th>
              <td>{formatCount(calls)}</td>
              <td>{formatDuration(selfMs)}</td>
              <td>{formatDuration(totalMs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {functions.length > LISTED && (
        <p className={classes.rest}>{formatCount(functions.length - LISTED)} more with less self time</p>
      )}
    </section>
  );
}

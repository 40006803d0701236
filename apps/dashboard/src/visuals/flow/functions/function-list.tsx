import { StepTypeIcon } from '../../steps/step-type.tsx';
import listClasses from '../flow-graph.module.css';
import { FollowedMark } from '../followed-mark.tsx';
import { OutcomeMark } from '../outcome-mark.tsx';
import type { FunctionCalls } from './calls/call-graph.ts';
import type { DrawnCalls } from './calls/drawn-calls.ts';
import { describeFunction } from './calls/function-words.ts';
import type { ValuePath } from './value-path/value-path.ts';

interface FunctionListProps {
  readonly drawn: DrawnCalls;
  readonly selected: string | undefined;
  /** The functions that match the search; undefined without a search. */
  readonly hits: ReadonlySet<string> | undefined;
  /** The path of the value that the user follows through the request; undefined if the user follows no value. */
  readonly valuePath: ValuePath | undefined;
  readonly onSelect: (called: FunctionCalls) => void;
}

/** The functions as a list, callers before callees, for people who cannot use the graph. During a search, only the matching functions. */
export function FunctionList({ drawn, selected, hits, valuePath, onSelect }: FunctionListProps) {
  const listed = drawn.shown.filter(({ id }) => hits?.has(id) ?? true);
  return (
    <ol className={listClasses.list} aria-label="Flow as a list">
      {listed.map((called) => {
        const words = describeFunction(called);
        const numbers = valuePath?.functions.get(called.id);
        const { stepType } = called.first.step;
        return (
          <li key={called.id}>
            <button
              type="button"
              className={listClasses.item}
              style={{ '--level': called.level }}
              aria-current={called.id === selected}
              onClick={() => onSelect(called)}
            >
              <StepTypeIcon type={stepType} />
              <span className={listClasses.name}>{words.name}</span>
              <span className={listClasses.type}>{stepType}</span>
              {words.times !== undefined && <span className={listClasses.times}>{words.times}</span>}
              <OutcomeMark outcome={called.outcome} />
              {numbers !== undefined && <FollowedMark numbers={numbers} />}
              <span className={listClasses.grow} />
              <span className={listClasses.self}>self {words.self}</span>
              <span className={listClasses.duration}>{words.total}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}

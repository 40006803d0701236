import { Button } from '@mantine/core';
import { describeProblem, type QueryProblem } from '@throughline/contract';
import classes from './query-bar.module.css';

interface QueryProblemLineProps {
  readonly id: string;
  readonly problem: QueryProblem;
  readonly onFix: (replacement: string) => void;
}

/** Shows why the typed query is invalid, and a fix if there is one. */
export function QueryProblemLine({ id, problem, onFix }: QueryProblemLineProps) {
  const { replacement } = problem;
  return (
    <div className={classes.problem}>
      <p id={id} role="alert">
        {describeProblem(problem)}
      </p>
      {replacement !== undefined && (
        <Button size="compact-xs" variant="default" onClick={() => onFix(replacement)}>
          Replace with “{replacement.trim()}”
        </Button>
      )}
    </div>
  );
}

import { Button } from '@mantine/core';
import { isErrorTrace } from '@throughline/contract';
import type { LoadedTrace } from '../data/queries.ts';
import type { Selection } from '../data/use-selection.ts';
import classes from '../page/trace-dialog.module.css';
import { ErrorText } from './error-text.tsx';
import { HandledLine } from './handled-line.tsx';

interface FailureLineProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
}

/**
 * Shows the error, the function in which it occurred and a link to the step, less prominently if the request succeeded. Renders nothing
 * without an error.
 */
export function FailureLine({ loaded, selection }: FailureLineProps) {
  const { trace } = loaded;
  const { failing, key } = selection;
  const failed = isErrorTrace(trace.response.statusCode, trace.error.hasError);
  if (failing === undefined && !trace.error.hasError) return null;
  return (
    <div className={classes.failure} data-handled={!failed}>
      {failed || failing === undefined ? (
        <p>
          <ErrorText trace={trace} failing={failing} />
        </p>
      ) : (
        <HandledLine loaded={loaded} failing={failing} />
      )}
      {failing !== undefined && failing.key !== key && (
        <Button size="compact-xs" variant="default" onClick={() => selection.select(failing.key)}>
          Go to step
        </Button>
      )}
    </div>
  );
}

import { Button } from '@mantine/core';
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
  const { forest, failing, key } = selection;
  const isHandled = forest.thrownAs === 'handled';
  if (failing === undefined && !trace.error.hasError) return null;
  return (
    <div className={classes.failure} data-handled={isHandled}>
      {isHandled && failing !== undefined ? (
        <HandledLine loaded={loaded} failing={failing} />
      ) : (
        <p>
          <ErrorText trace={trace} failing={failing} />
        </p>
      )}
      {failing !== undefined && failing.key !== key && (
        <Button size="compact-xs" variant="default" onClick={() => selection.select(failing.key)}>
          Go to step
        </Button>
      )}
    </div>
  );
}

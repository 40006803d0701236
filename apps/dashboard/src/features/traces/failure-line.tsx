import { Button } from '@mantine/core';
import type { Trace } from '@throughline/contract';
import { lineOf } from '../../visuals/steps/thrown-line.ts';
import { escapeControlCharacters } from '../../visuals/values/escape-control-characters.ts';
import { droppedText } from './dropped-text.ts';
import { CodePlace } from './editor/code-place.tsx';
import classes from './trace-dialog.module.css';
import type { Selection } from './use-selection.ts';

/** What went wrong, in which function, and the way there. Nothing where nothing did. */
export function FailureLine({ trace, selection }: { readonly trace: Trace; readonly selection: Selection }) {
  const { failing, key } = selection;
  const error = failing?.step.error;
  if (!trace.error.hasError && error === undefined) return null;
  const message = error?.message ?? trace.error.errorMessage ?? 'The request failed.';
  const name = error?.name;
  return (
    <div className={classes.failure}>
      <p>
        {name !== undefined && !message.startsWith(name) && (
          <strong>{escapeControlCharacters(name)}: </strong>
        )}
        {escapeControlCharacters(message)}
        {failing !== undefined && (
          <span className={classes.where}>
            {' '}
            in{' '}
            <span className="mono">
              {escapeControlCharacters(failing.step.functionName ?? failing.step.stepName)}
            </span>
            {failing.step.filePath !== null && (
              <>
                {' '}
                <CodePlace file={failing.step.filePath} line={lineOf(failing.step)} />
              </>
            )}
          </span>
        )}
      </p>
      {failing !== undefined && failing.key !== key && (
        <Button size="compact-xs" variant="default" onClick={() => selection.select(failing.key)}>
          Go to step
        </Button>
      )}
    </div>
  );
}

/** Says that a limit cut the recording, and by how much. */
export function DroppedNotice({ trace }: { readonly trace: Trace }) {
  const text = droppedText(trace.dropped);
  return text !== undefined && <p className={classes.dropped}>Left out by the recording's limits: {text}.</p>;
}

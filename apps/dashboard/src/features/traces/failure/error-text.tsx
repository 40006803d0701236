import type { Trace } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { findLine } from '../../../visuals/steps/thrown-line.ts';
import { CodePlace } from '../editor/code-place.tsx';
import classes from '../page/trace-dialog.module.css';

interface ErrorTextProps {
  readonly trace: Trace;
  readonly failing: StepNode | undefined;
}

/** The error's name and message, and the function in which it occurred. */
export function ErrorText({ trace, failing }: ErrorTextProps) {
  return (
    <>
      <ErrorMessage trace={trace} failing={failing} />
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
              <CodePlace file={failing.step.filePath} line={findLine(failing.step)} />
            </>
          )}
        </span>
      )}
    </>
  );
}

/** The error's name and message. */
export function ErrorMessage({ trace, failing }: ErrorTextProps) {
  const error = failing?.step.error;
  const message = error?.message ?? trace.error.errorMessage ?? 'The request failed.';
  const name = error?.name;
  return (
    <>
      {name !== undefined && !message.startsWith(name) && <strong>{escapeControlCharacters(name)}: </strong>}
      {escapeControlCharacters(message)}
    </>
  );
}

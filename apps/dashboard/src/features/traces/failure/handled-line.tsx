import { IconArrowBackUp } from '@tabler/icons-react';
import type { Step } from '@throughline/contract';
import { escapeControlCharacters, summarise } from '@throughline/contract/captured';
import type { StepNode } from '../../../visuals/steps/analysis/step-forest.ts';
import { type LoadedTrace, useStepValues } from '../data/queries.ts';
import { CodePlace } from '../editor/code-place.tsx';
import classes from '../page/trace-dialog.module.css';
import { ErrorText } from './error-text.tsx';
import { findHandling, type Handling } from './find-handling.ts';

interface HandledLineProps {
  readonly loaded: LoadedTrace;
  readonly failing: StepNode;
}

/** Describes an error of a successful request: which step caught the error, and what the step returned or repeated. */
export function HandledLine({ loaded, failing }: HandledLineProps) {
  const { trace } = loaded;
  const handling = findHandling(failing);
  return (
    <div>
      <p>
        <IconArrowBackUp size={14} aria-hidden className={classes.handledMark} />
        <strong>Handled error:</strong> <ErrorText trace={trace} failing={failing} />
      </p>
      <p className={classes.dim}>
        {handling === undefined ? (
          'The place where the error was caught was not recorded.'
        ) : (
          <Caught loaded={loaded} handling={handling} />
        )}{' '}
        The response had status {trace.response.statusCode}.
      </p>
    </div>
  );
}

interface CaughtProps {
  readonly loaded: LoadedTrace;
  readonly handling: Handling;
}

function Caught({ loaded, handling: { catcher, retry } }: CaughtProps) {
  const { step } = catcher;
  // A handler or middleware responds to the request, so its return value is not interesting.
  const isAnswer = retry === undefined && step.stepType === 'function';
  const values = useStepValues(loaded, step, isAnswer);
  const returned = isAnswer && values.data !== undefined ? formatReturned(values.data) : undefined;
  return (
    <>
      Caught in <StepPlace step={step} />
      {retry !== undefined && (
        <>
          , where a later call of <Code text={retry.step.functionName ?? retry.step.stepName} /> succeeded
        </>
      )}
      {returned !== undefined && (
        <>
          , which returned <Code text={returned} />
        </>
      )}
      .
    </>
  );
}

/** Formats the value that a function returned to its caller instead of the error. */
function formatReturned({ variables, outputs }: Step): string | undefined {
  const value = variables?.returnValue ?? outputs;
  return value === undefined ? undefined : summarise(value).text;
}

function StepPlace({ step }: { readonly step: Step }) {
  return (
    <>
      <Code text={step.functionName ?? step.stepName} />
      {step.filePath !== null && (
        <>
          {' '}
          <CodePlace file={step.filePath} line={step.lineNumber} />
        </>
      )}
    </>
  );
}

function Code({ text }: { readonly text: string }) {
  return <span className="mono">{escapeControlCharacters(text)}</span>;
}

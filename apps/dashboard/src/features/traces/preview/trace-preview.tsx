import { useQuery } from '@tanstack/react-query';
import type { TraceRow } from '@throughline/contract';
import { buildStandOutOptions, type LoadedTrace, useTrace } from '../data/queries.ts';
import { useHasSession } from '../data/trace-calls.ts';
import { useLateCause } from '../data/use-late-cause.ts';
import { useTraceSelection } from '../data/use-selection.ts';
import { ErrorMessage } from '../failure/error-text.tsx';
import { isFailedOrSlow } from '../opening/is-failed-or-slow.ts';
import { CodeText } from '../parts/code-text.tsx';
import { PreviewedEntry } from './previewed-entry.tsx';
import classes from './trace-preview.module.css';

/** Shows a request's error, what stands out, and the step on which the request opens. Contains no controls. */
export function TracePreview({ row }: { readonly row: TraceRow }) {
  const query = useTrace(row._id, row.stepCount);
  if (query.data !== undefined) return <LoadedPreview loaded={query.data} />;
  return (
    <p className={classes.note}>
      {query.isError ? 'The preview could not be loaded. Open the request for details.' : 'Loading…'}
    </p>
  );
}

function LoadedPreview({ loaded }: { readonly loaded: LoadedTrace }) {
  const { trace } = loaded;
  const late = useLateCause(trace._id);
  const { failing, forest, selected } = useTraceSelection({ ...loaded, cause: loaded.cause ?? late }, [
    undefined,
    ignoreSelection,
  ]);
  const isFailed = forest.thrownAs === 'failed' || (failing === undefined && trace.error.hasError);
  return (
    <>
      {isFailed && (
        <p className={classes.error}>
          <ErrorMessage trace={trace} failing={failing} />
        </p>
      )}
      <Statements loaded={loaded} />
      {selected === undefined ? (
        <p className={classes.note}>No steps were recorded for this request.</p>
      ) : (
        <PreviewedEntry key={selected.key} loaded={loaded} entry={selected} />
      )}
    </>
  );
}

function ignoreSelection(): void {}

function Statements({ loaded }: { readonly loaded: LoadedTrace }) {
  const isSignedIn = useHasSession();
  const query = useQuery({ ...buildStandOutOptions(loaded.trace._id), enabled: isSignedIn });
  const statements = query.data?.statements ?? [];
  if (isSignedIn && query.isPending && isFailedOrSlow(loaded))
    return <p className={classes.note}>Comparing with other requests…</p>;
  if (statements.length === 0) return null;
  return (
    <ul className={classes.statements} aria-label="What stands out">
      {statements.map(({ rule, text }) => (
        <li key={rule}>
          <CodeText text={text} />
        </li>
      ))}
    </ul>
  );
}

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { StandOut } from '@throughline/contract';
import { isNotThere } from '../../../ui/feedback/not-there.tsx';
import { bundleKey, findBundleByKey } from '../../../visuals/steps/analysis/bundle-repeats.ts';
import { buildStandOutOptions, type LoadedTrace } from '../data/queries.ts';
import { useHasSession } from '../data/trace-calls.ts';
import type { Selection } from '../data/use-selection.ts';
import { isFailedOrSlow } from '../opening/is-failed-or-slow.ts';
import { CodeText } from '../parts/code-text.tsx';
import classes from './stands-out.module.css';

interface StandsOutStripProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
}

/**
 * Statements about what is unusual in the request. A statement about a step links to the step. Shows an error message if the statements
 * cannot be loaded. Renders nothing for viewers of a public project, or if nothing is unusual.
 */
export function StandsOutStrip({ loaded, selection }: StandsOutStripProps) {
  const { trace } = loaded;
  const isSignedIn = useHasSession();
  const query = useQuery({ ...buildStandOutOptions(trace._id), enabled: isSignedIn });
  const statements = query.data?.statements ?? [];
  // A failed or slow request almost always has a statement, so a line is reserved while the statements load, which keeps the steps below
  // from moving.
  const isWaiting = isSignedIn && query.isPending && isFailedOrSlow(loaded);
  // Viewers of another user's public project get no statements, which is no failure.
  const hasFailed = query.isError && !isNotThere(query.error);
  if (statements.length === 0 && !isWaiting && !hasFailed) return null;
  return (
    <section aria-label="What stands out" aria-busy={isWaiting} className={classes.strip}>
      <h2>What stands out</h2>
      {isWaiting && <p className={classes.waiting}>Comparing with other requests…</p>}
      {hasFailed && (
        <p role="alert" className={classes.failed}>
          This request could not be compared with other requests.
          <Button
            size="compact-xs"
            variant="default"
            loading={query.isFetching}
            onClick={() => void query.refetch()}
          >
            Try Again
          </Button>
        </p>
      )}
      {!isWaiting && !hasFailed && (
        <ol>
          {statements.map((statement) => (
            <li key={statement.rule}>
              <Statement statement={statement} selection={selection} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Statement({
  statement: { text, stepId },
  selection: { forest, select },
}: {
  readonly statement: StandOut;
  readonly selection: Selection;
}) {
  const node = stepId === null ? undefined : forest.byId.get(stepId);
  if (node === undefined) return <CodeText text={text} />;
  return (
    <button type="button" onClick={() => select(findBundleByKey(forest, bundleKey(node))?.key ?? node.key)}>
      <CodeText text={text} />
    </button>
  );
}

import { Button } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { isNotThere } from '../../../ui/feedback/not-there.tsx';
import { buildStandOutOptions, isComparison, type LoadedTrace } from '../data/queries.ts';
import { useHasSession } from '../data/trace-calls.ts';
import { isFailedOrSlow } from '../opening/is-failed-or-slow.ts';
import classes from '../page/trace-dialog.module.css';

/**
 * Opens the comparison with the most similar successful request. Successful requests have this button, too, because a response can be wrong
 * without an error.
 */
export function CompareButton({ loaded }: { readonly loaded: LoadedTrace }) {
  const change = useChangeView();
  const { compare } = useViewParams();
  const isSignedIn = useHasSession();
  const statements = useQuery({ ...buildStandOutOptions(loaded.trace._id), enabled: isSignedIn });
  // Viewers of another user's public project cannot compare traces.
  if (!isSignedIn || isComparison(compare) || isNotThere(statements.error)) return null;
  const withGood = isFailedOrSlow(loaded);
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.compare}
      aria-label={withGood ? 'Compare with a successful request' : 'Compare'}
      leftSection={<IconArrowsDiff size={14} aria-hidden />}
      onClick={() => change({ compare: 'good', view: undefined })}
    >
      Compare
      {withGood && <span className={classes.compareRest}>&nbsp;with a successful request</span>}
    </Button>
  );
}

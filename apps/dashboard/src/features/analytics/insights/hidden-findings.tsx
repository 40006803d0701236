import { Button } from '@mantine/core';
import { type DecidedFinding, formatCounted } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { formatStart } from '../../../ui/time/relative-time.ts';
import { Timestamp } from '../../../ui/time/timestamp.tsx';
import classes from '../analytics.module.css';
import { useDecideInsight } from '../data/queries.ts';

interface HiddenFindingsProps {
  readonly hidden: readonly DecidedFinding[];
  readonly projectId: string;
  readonly mayDecide: boolean;
  readonly onDecided: () => void;
}

/** The collapsed list of hidden findings. If `mayDecide` is true, each finding has a button that shows it in the insights again. */
export function HiddenFindings({ hidden, projectId, mayDecide, onDecided }: HiddenFindingsProps) {
  return (
    <details className={classes.hidden}>
      <summary>{formatCounted(hidden.length, 'hidden finding')}</summary>
      <ul className={classes.hiddenList}>
        {hidden.map((one) => (
          <li key={one.finding.id}>
            <span>{escapeControlCharacters(one.finding.title)}</span>
            <span className={classes.note}>
              <DecisionText {...one} />
            </span>
            {mayDecide && <ShowAgain projectId={projectId} {...one} onDecided={onDecided} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

const STATES = { dismissed: 'Hidden for good', snoozed: 'Hidden', fixed: 'Marked as fixed' } as const;

function DecisionText({ decision: { state, until, at, by } }: Pick<DecidedFinding, 'decision'>) {
  return (
    <>
      {STATES[state]} <Timestamp at={at} />
      {by !== null && ` by ${escapeControlCharacters(by)}`}
      {until !== null && `, until ${formatStart(Date.parse(until))}`}
    </>
  );
}

interface ShowAgainProps extends DecidedFinding {
  readonly projectId: string;
  readonly onDecided: () => void;
}

function ShowAgain({ finding, projectId, onDecided }: ShowAgainProps) {
  const decide = useDecideInsight(projectId, finding.id, 'The finding could not be shown.');
  return (
    <Button
      size="compact-sm"
      variant="default"
      loading={decide.isPending}
      aria-label={`Show again: ${escapeControlCharacters(finding.title)}`}
      onClick={() => decide.mutate({ state: 'open' }, { onSuccess: onDecided })}
    >
      Show again
    </Button>
  );
}

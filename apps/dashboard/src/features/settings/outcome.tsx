import { CloseButton } from '@mantine/core';
import type { FormProblem } from '../../ui/feedback/form-error.tsx';
import classes from '../../ui/feedback/notice.module.css';
import { RemedyLines } from '../../ui/feedback/remedy-lines.tsx';

/** The result of an action, shown until dismissed; `error` is set if the action failed. */
export interface Outcome {
  readonly type: 'success' | 'error';
  readonly message: string;
  readonly error?: unknown;
}

interface OutcomeNoticeProps {
  readonly outcome: Outcome | undefined;
  readonly onDismiss: () => void;
}

/** Shows the outcome of the last action; screen readers announce it. */
export function OutcomeNotice({ outcome, onDismiss }: OutcomeNoticeProps) {
  return (
    <div role={outcome?.type === 'error' ? 'alert' : 'status'} className={classes.form}>
      {outcome !== undefined && (
        <div className={outcome.type === 'error' ? classes.error : classes.success}>
          <div className={classes.words}>
            {outcome.message}
            <RemedyLines error={outcome.error} />
          </div>
          <CloseButton size={24} ml="auto" aria-label="Dismiss" onClick={onDismiss} />
        </div>
      )}
    </div>
  );
}

export function toOutcome({ message = '', error }: FormProblem): Outcome {
  return { type: 'error', message, error };
}

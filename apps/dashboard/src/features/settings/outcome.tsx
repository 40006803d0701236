import { CloseButton } from '@mantine/core';
import { TEXTS } from '@throughline/contract';
import { findRefusal } from '../../shell/session/refusal.ts';
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
          <CloseButton size="sm" ml="auto" aria-label="Dismiss" onClick={onDismiss} />
        </div>
      )}
    </div>
  );
}

/**
 * Returns an error outcome with the server's message, `otherwise` if the server sent none or an internal error, or the network error
 * message if the server could not be reached.
 */
export function failed(error: unknown, otherwise: string): Outcome {
  const refusal = findRefusal(error);
  if (refusal === undefined) return { type: 'error', message: TEXTS.networkError, error };
  const worded = refusal.code !== 'unreadable_answer' && refusal.code !== 'internal';
  return { type: 'error', message: worded ? refusal.message : otherwise, error };
}

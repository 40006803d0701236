import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './notice.module.css';
import { RemedyLines } from './remedy-lines.tsx';

/** Why a form was not accepted, and the error where that came from a call. */
export interface FormProblem {
  readonly message?: string | undefined;
  readonly error?: unknown;
}

/** Why a form was not accepted and what to do about it, above its button. Always there, so that what comes into it is read out. */
export function FormError({ message, error }: FormProblem) {
  const isShown = message !== undefined;
  return (
    <div className={isShown ? classes.error : classes.silent}>
      {isShown && <IconAlertTriangle size={16} aria-hidden className={classes.mark} />}
      <div className={classes.words}>
        <div role="alert">{message}</div>
        <div aria-live="polite">{isShown && <RemedyLines error={error} />}</div>
      </div>
    </div>
  );
}

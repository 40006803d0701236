import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './notice.module.css';
import { RemedyLines } from './remedy-lines.tsx';

/** The reason why a form was rejected, and the error if an API request failed. */
export interface FormProblem {
  readonly message?: string | undefined;
  readonly error?: unknown;
}

/** Shows why a form was rejected and what to do, above its button. Always rendered, so that screen readers announce a new message. */
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

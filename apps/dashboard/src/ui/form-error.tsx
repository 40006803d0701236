import { IconAlertTriangle } from '@tabler/icons-react';
import classes from './notice.module.css';

/** Why a form was not accepted, above its button; read out when it appears. */
export function FormError({ message }: { readonly message: string | undefined }) {
  return (
    <div role="alert" className={classes.form}>
      {message !== undefined && (
        <div className={classes.error}>
          <IconAlertTriangle size={16} aria-hidden className={classes.mark} />
          <span className={classes.words}>{message}</span>
        </div>
      )}
    </div>
  );
}

import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { Brand } from '../../ui/layout/brand.tsx';
import { session } from '../api.ts';
import classes from '../frame/centered.module.css';

/** Shown if there is a session but the server cannot be reached to check it. */
export function ServerUnreachable({ error }: { readonly error: unknown }) {
  return (
    <main className={classes.screen}>
      <div className={classes.column}>
        <Brand />
        <ErrorNotice
          what="Your session could not be checked."
          error={error}
          onRetry={() => void session.check()}
        />
      </div>
    </main>
  );
}

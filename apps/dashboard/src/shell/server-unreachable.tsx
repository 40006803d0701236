import { Brand } from '../ui/brand.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { session } from './api.ts';
import classes from './centered.module.css';

/** There is a session, but the server cannot be asked about it. */
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

import { Button, Group, Text, Title } from '@mantine/core';
import { useQueryErrorResetBoundary } from '@tanstack/react-query';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import classes from '../frame/centered.module.css';
import { ScriptLoadError } from '../load-page.ts';

/** Shown if a page failed to load or render. */
export function UnexpectedError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const queries = useQueryErrorResetBoundary();
  const again = () => {
    // The browser does not request a failed script again until the page is reloaded.
    if (error instanceof ScriptLoadError) {
      window.location.reload();
      return;
    }
    queries.reset();
    reset();
    void router.invalidate();
  };
  return (
    <div className={classes.screen} role="alert">
      <div className={classes.column}>
        <div>
          <Title order={1} size="h2" mb={4}>
            Unexpected Application Error!
          </Title>
          <Text size="sm" className="mono" style={{ overflowWrap: 'anywhere' }}>
            {error instanceof Error ? error.message : String(error)}
          </Text>
        </div>
        <Group>
          <Button onClick={again}>{error instanceof ScriptLoadError ? 'Reload' : 'Try Again'}</Button>
          <Button variant="default" component="a" href="/">
            Go home
          </Button>
        </Group>
      </div>
    </div>
  );
}

import { Button, Group, Loader, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { useRef } from 'react';
import { RETRY_BUTTON, useFocusAfterRemoval } from '../hooks/use-focus-after-removal.ts';
import classes from './notice.module.css';
import { RemedyLines } from './remedy-lines.tsx';

interface ErrorNoticeProps {
  /** The failure, as a sentence: "Projects could not be loaded." */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}

/** Shown in place of a failed result: what failed, why, what the user can do, and Try Again. */
export function ErrorNotice({ what, error, onRetry, retrying = false }: ErrorNoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  useFocusAfterRemoval(notice);
  return (
    <div ref={notice} role="alert" className={classes.error}>
      <IconAlertTriangle size={18} aria-hidden className={classes.mark} />
      <div className={classes.words}>
        <Text fw={600}>{what}</Text>
        <Text size="sm">{error instanceof Error ? error.message : 'Something unexpected happened.'}</Text>
        <RemedyLines error={error} />
        {onRetry !== undefined && (
          <Group mt="xs">
            <Button
              size="xs"
              variant="default"
              // Uses `aria-disabled`, because a disabled button would lose the focus.
              aria-disabled={retrying || undefined}
              leftSection={
                retrying ? (
                  <Loader size={14} color="gray" aria-hidden />
                ) : (
                  <IconRefresh size={14} aria-hidden />
                )
              }
              onClick={retrying ? undefined : onRetry}
              {...{ [RETRY_BUTTON]: true }}
            >
              Try Again
            </Button>
          </Group>
        )}
      </div>
    </div>
  );
}

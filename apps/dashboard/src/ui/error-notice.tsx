import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { ApiError } from '@throughline/contract';
import classes from './notice.module.css';

interface ErrorNoticeProps {
  /** What failed, as a sentence: "Projects could not be loaded." */
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly retrying?: boolean;
}

/** A failure where its result would have stood: what failed, why, under which request id, and Try Again. */
export function ErrorNotice({ what, error, onRetry, retrying = false }: ErrorNoticeProps) {
  const { remedy, requestId } = error instanceof ApiError ? error : {};
  return (
    <div role="alert" className={classes.error}>
      <IconAlertTriangle size={18} aria-hidden className={classes.mark} />
      <div className={classes.words}>
        <Text fw={600}>{what}</Text>
        <Text size="sm">{error instanceof Error ? error.message : 'Something unexpected happened.'}</Text>
        {remedy !== undefined && <Text size="sm">{remedy}</Text>}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request id <span className="mono">{requestId}</span>
          </Text>
        )}
        {onRetry !== undefined && (
          <Group mt="xs">
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} aria-hidden />}
              loading={retrying}
              onClick={onRetry}
            >
              Try Again
            </Button>
          </Group>
        )}
      </div>
    </div>
  );
}

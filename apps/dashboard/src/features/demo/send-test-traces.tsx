import { Button, Stack, Text } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { routes } from '@throughline/contract';
import { api } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';

const NOT_SENT = 'No test traces were sent.';

/** Button that makes the demo service trace a burst of requests into this project. */
export function SendTestTraces({ projectId }: { readonly projectId: string }) {
  const burst = useAction({
    failure: NOT_SENT,
    mutationFn: () => api.call(routes.demo.traffic, { body: { projectId } }),
  });
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSend size={14} aria-hidden />}
        loading={burst.isPending}
        onClick={() => burst.mutate()}
      >
        Send test traces
      </Button>
      {burst.isSuccess && (
        <Text size="sm" c="dimmed" role="status">
          Sent {burst.data.requests} requests to the demo service. Their traces arrive in a moment.
        </Text>
      )}
      {burst.isError && <ErrorNotice what={NOT_SENT} error={burst.error} />}
    </Stack>
  );
}

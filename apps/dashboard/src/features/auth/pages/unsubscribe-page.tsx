import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { routes, TEXTS } from '@throughline/contract';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';

const route = getRouteApi('/unsubscribe/$token');

/** Turns the weekly digest off with the link from a digest. Requires a click, because mail scanners open links too. */
export function UnsubscribePage() {
  const { token } = route.useParams();
  const unsubscribing = useAction({
    failure: (error) => formatFailure(error, TEXTS.unsubscribeLinkInvalid),
    mutationFn: () => api.call(routes.digest.unsubscribe, { body: { token } }),
  });
  if (unsubscribing.isSuccess) {
    return (
      <AuthFrame title="Weekly digest turned off">
        <Stack role="status">
          <Text size="sm">
            You will get no more weekly digests. Alerts and emails about your account are still sent.
          </Text>
          <AnchorLink to="/settings" size="sm" ta="center">
            Turn it on again in Settings
          </AnchorLink>
        </Stack>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Turn off the weekly digest">
      <Stack>
        {unsubscribing.problem === undefined && (
          <Text size="sm">The weekly digest is the email about your projects, sent on Mondays.</Text>
        )}
        <FormError {...unsubscribing.problem} />
        <Button fullWidth loading={unsubscribing.isPending} onClick={() => unsubscribing.mutate()}>
          Unsubscribe
        </Button>
        {unsubscribing.problem !== undefined && (
          <AnchorLink to="/settings" size="sm" ta="center">
            Go to Settings
          </AnchorLink>
        )}
      </Stack>
    </AuthFrame>
  );
}

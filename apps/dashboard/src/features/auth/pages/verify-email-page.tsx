import { Button, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { routes, TEXTS } from '@throughline/contract';
import { api, session } from '../../../shell/api.ts';
import { HOME } from '../../../shell/session/return-path.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { AnchorLink, ButtonLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';

const route = getRouteApi('/verify-email');

/** Confirms an email address with the link from the email. Requires a click, because mail scanners open links too. */
export function VerifyEmailPage() {
  const { token } = route.useSearch();
  const verification = useAction({
    failure: (error) => formatFailure(error, TEXTS.emailLinkInvalid),
    mutationFn: () => api.call(routes.account.verifyEmail, { body: { token } }),
    // The owner of the address can be signed in in this browser. The user data of the session has then changed, so it is fetched again.
    onSuccess: () => void session.check(),
  });
  if (verification.isSuccess) {
    return (
      <AuthFrame title="Email address confirmed">
        <Stack role="status">
          <Text size="sm">
            <strong>{verification.data.email}</strong> is now the confirmed address of your account.
          </Text>
          <ButtonLink to={HOME}>Continue</ButtonLink>
        </Stack>
      </AuthFrame>
    );
  }
  const problem = token === '' ? { message: TEXTS.emailLinkInvalid } : verification.problem;
  return (
    <AuthFrame title="Confirm your email address">
      <Stack>
        {problem === undefined && (
          <Text size="sm">
            Confirm that this address is yours, and that your Throughline account can use it.
          </Text>
        )}
        <FormError {...problem} />
        {token !== '' && (
          <Button fullWidth loading={verification.isPending} onClick={() => verification.mutate()}>
            Confirm email address
          </Button>
        )}
        {problem !== undefined && (
          <AnchorLink to="/settings" size="sm" ta="center">
            Go to Settings
          </AnchorLink>
        )}
      </Stack>
    </AuthFrame>
  );
}

import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { routes, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { api, session } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError, type FormProblem } from '../../../ui/feedback/form-error.tsx';
import { AnchorLink, ButtonLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';
import { findPasswordProblem } from '../new-password.ts';

const route = getRouteApi('/reset-password');

/** Sets a new password with the link from the email. The user then logs in normally, including any second factor. */
export function ResetPasswordPage() {
  const { token } = route.useSearch();
  const [password, setPassword] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [problem, setProblem] = useState<FormProblem>();
  const reset = useAction({
    failure: (error) => formatFailure(error, TEXTS.passwordLinkInvalid),
    mutationFn: () => api.call(routes.account.resetPassword, { body: { token, newPassword: password } }),
    // The server ended all sessions of the account. This browser can have one of these sessions, so the page deletes its session, too.
    onSuccess: () => session.logout(),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findPasswordProblem(password, confirmation);
    setProblem(found === undefined ? undefined : { message: found });
    if (found === undefined) reset.mutate();
  };
  if (token === '') {
    return (
      <AuthFrame title="Set a new password">
        <Stack>
          <FormError message={TEXTS.passwordLinkInvalid} />
          <AnchorLink to="/forgot-password" size="sm">
            Request a new link
          </AnchorLink>
        </Stack>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Set a new password">
      {reset.isSuccess ? (
        <Stack role="status">
          <Text size="sm">{TEXTS.passwordUpdated}</Text>
          <ButtonLink to="/login">Login</ButtonLink>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <PasswordInput
              label="New password"
              description="At least 8 characters"
              name="password"
              autoComplete="new-password"
              autoFocus
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
            <PasswordInput
              label="Confirm new password"
              name="confirmation"
              autoComplete="new-password"
              value={confirmation}
              onChange={(event) => setConfirmation(event.currentTarget.value)}
            />
            <FormError {...(problem ?? reset.problem)} />
            <Button type="submit" fullWidth loading={reset.isPending}>
              Set password
            </Button>
            <AnchorLink to="/forgot-password" size="sm" ta="center">
              Request a new link
            </AnchorLink>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}

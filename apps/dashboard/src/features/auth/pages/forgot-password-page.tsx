import { Button, Stack, Text, TextInput } from '@mantine/core';
import { Email, routes, TEXTS } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError, type FormProblem } from '../../../ui/feedback/form-error.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';

/** Requests a password reset link. Shows the same message whether or not the account exists. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const [problem, setProblem] = useState<FormProblem>();
  const request = useAction({
    failure: (error) => formatFailure(error, TEXTS.networkFailure),
    mutationFn: () => api.call(routes.account.forgotPassword, { body: { email } }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const issue = Email.safeParse(email).error?.issues[0];
    setProblem(issue);
    if (issue === undefined) request.mutate();
  };
  return (
    <AuthFrame title="Forgot password?">
      {request.isSuccess ? (
        <Stack role="status">
          <Text size="sm">
            If there is an account with the address <strong>{email.trim()}</strong>, a link to set a new
            password is on its way. It works for one hour.
          </Text>
          <AnchorLink to="/login" size="sm">
            Back to Login
          </AnchorLink>
        </Stack>
      ) : (
        <form onSubmit={submit} noValidate>
          <Stack>
            <Text size="sm" c="dimmed">
              Enter your email and we'll send you a reset link.
            </Text>
            <TextInput
              label="Email"
              type="email"
              name="email"
              autoComplete="username"
              autoFocus
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
            <FormError {...(problem ?? request.problem)} />
            <Button type="submit" fullWidth loading={request.isPending}>
              Send the link
            </Button>
            <AnchorLink to="/login" size="sm" ta="center">
              Back to Login
            </AnchorLink>
          </Stack>
        </form>
      )}
    </AuthFrame>
  );
}

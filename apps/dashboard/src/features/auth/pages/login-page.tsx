import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { routes, type SignedIn, TEXTS } from '@throughline/contract';
import { type FormEvent, useRef, useState } from 'react';
import { api, session } from '../../../shell/api.ts';
import { HOME, readReturnPath } from '../../../shell/session/return-path.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError, type FormProblem } from '../../../ui/feedback/form-error.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { AuthFrame } from '../auth-frame.tsx';
import { formatFailure } from '../failure-text.ts';
import { CodeForm } from '../identity/code-form.tsx';

const route = getRouteApi('/login');

/** Signs in by email and password, then opens the page that the user wanted. */
export function LoginPage() {
  const { from } = route.useSearch();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<FormProblem>();
  /** Token from the server after a correct password, if the account also requires a second factor. */
  const [tempToken, setTempToken] = useState<string>();
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  const enter = (answer: SignedIn) => {
    session.signIn(answer);
    void navigate({ href: readReturnPath(from) ?? HOME, replace: true });
  };
  const login = useAction({
    failure: (error) => formatFailure(error, TEXTS.invalidCredentials),
    mutationFn: () => api.call(routes.auth.login, { body: { email, password } }),
    onSuccess: (answer) => {
      if ('requires2FA' in answer) setTempToken(answer.tempToken);
      else enter(answer);
    },
    onError: () => passwordField.current?.select(),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (email.trim() === '' || password === '') {
      setProblem({ message: TEXTS.loginRequired });
      (email.trim() === '' ? emailField : passwordField).current?.focus();
      return;
    }
    setProblem(undefined);
    login.mutate();
  };

  const toPassword = (next?: FormProblem) => {
    setTempToken(undefined);
    login.reset();
    setPassword('');
    setProblem(next);
  };
  if (tempToken !== undefined) {
    return (
      <AuthFrame title="Two-factor authentication">
        <CodeForm
          tempToken={tempToken}
          onSignedIn={enter}
          onExpired={toPassword}
          onBack={() => toPassword()}
        />
      </AuthFrame>
    );
  }
  return (
    <AuthFrame title="Login">
      <form onSubmit={submit} noValidate>
        <Stack>
          {from !== undefined && (
            <Text size="sm" c="dimmed">
              Log in to continue.
            </Text>
          )}
          <TextInput
            ref={emailField}
            label="Email"
            type="email"
            name="email"
            autoComplete="username"
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            ref={passwordField}
            label="Password"
            name="password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <FormError {...(problem ?? login.problem)} />
          <Button type="submit" fullWidth loading={login.isPending}>
            Login
          </Button>
          <AnchorLink to="/forgot-password" size="sm" ta="center">
            Forgot password?
          </AnchorLink>
          <Text size="sm" c="dimmed" ta="center">
            No account yet?{' '}
            <AnchorLink to="/register" inherit underline="always">
              Register
            </AnchorLink>
          </Text>
        </Stack>
      </form>
    </AuthFrame>
  );
}

import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { ApiError, routes, type SignedIn, TEXTS } from '@throughline/contract';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../shell/api.ts';
import { AuthenticatorCode, CODE_DIGITS } from '../../ui/authenticator-code.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { failureText } from './failure-text.ts';

interface CodeFormProps {
  readonly tempToken: string;
  readonly onSignedIn: (answer: SignedIn) => void;
  /** Too late, or too many tries: the password is asked for again. */
  readonly onExpired: (message: string) => void;
  readonly onBack: () => void;
}

/** The login's second step: a code of the authenticator app, or a backup code. */
export function CodeForm({ tempToken, onSignedIn, onExpired, onBack }: CodeFormProps) {
  const [kind, setKind] = useState<'app' | 'backup'>('app');
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const verification = useMutation({
    mutationFn: () => api.call(routes.auth.verifyLogin, { body: { tempToken, code } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'login_expired') onExpired(error.message);
      else field.current?.select();
    },
  });
  const complete = kind === 'app' ? code.length === CODE_DIGITS : code.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (complete) verification.mutate();
  };
  const change = (next: 'app' | 'backup') => {
    setKind(next);
    setCode('');
    verification.reset();
    field.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {kind === 'app'
            ? 'Enter the 6-digit code that your authenticator app shows.'
            : 'Enter one of your backup codes. Each is good once.'}
        </Text>
        {kind === 'app' ? (
          <AuthenticatorCode
            ref={field}
            key="app"
            label="Authenticator code"
            value={code}
            onChange={setCode}
            focus="page"
          />
        ) : (
          <TextInput
            ref={field}
            key="backup"
            label="Backup code"
            name="backup-code"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            autoFocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <FormError
          message={
            verification.isError ? failureText(verification.error, TEXTS.codeInvalidAtLogin) : undefined
          }
        />
        <Button type="submit" fullWidth disabled={!complete} loading={verification.isPending}>
          Verify
        </Button>
        <Button variant="subtle" size="xs" onClick={() => change(kind === 'app' ? 'backup' : 'app')}>
          {kind === 'app' ? 'Use a backup code' : 'Use the authenticator app'}
        </Button>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  );
}

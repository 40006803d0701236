import { Button, Stack } from '@mantine/core';
import { ApiError, routes, type SignedIn, TEXTS } from '@throughline/contract';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../../shell/api.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError, type FormProblem } from '../../../ui/feedback/form-error.tsx';
import { formatFailure } from '../failure-text.ts';
import { CodeField, CodeKindButton, isCompleteCode, NO_CODE } from './code-field.tsx';

interface CodeFormProps {
  readonly tempToken: string;
  readonly onSignedIn: (answer: SignedIn) => void;
  /** Called when the login has expired, after some time or after too many attempts: the user must enter the password again. */
  readonly onExpired: (problem: FormProblem) => void;
  readonly onBack: () => void;
}

/** The second step of login: a code from the authenticator app, or a backup code. */
export function CodeForm({ tempToken, onSignedIn, onExpired, onBack }: CodeFormProps) {
  const [code, setCode] = useState(NO_CODE);
  const field = useRef<HTMLInputElement>(null);
  const verification = useAction({
    failure: (error) => formatFailure(error, TEXTS.codeInvalidAtLogin),
    mutationFn: () => api.call(routes.auth.verifyLogin, { body: { tempToken, code: code.text } }),
    onSuccess: onSignedIn,
    onError: (error) => {
      if (error instanceof ApiError && error.code === 'login_expired')
        onExpired({ message: error.message, error });
      else field.current?.select();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isCompleteCode(code)) verification.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <CodeField ref={field} code={code} onChange={setCode} focus="page" />
        <FormError {...verification.problem} />
        <Button type="submit" fullWidth disabled={!isCompleteCode(code)} loading={verification.isPending}>
          Verify
        </Button>
        <CodeKindButton
          code={code}
          onChange={(next) => {
            setCode(next);
            verification.reset();
          }}
        />
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </Stack>
    </form>
  );
}

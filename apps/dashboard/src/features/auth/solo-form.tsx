import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PASSWORD_MIN_AT_REGISTRATION, routes, TEXTS } from '@throughline/contract';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { api, session } from '../../shell/api.ts';
import { HOME } from '../../shell/return-path.ts';
import { FormError } from '../../ui/form-error.tsx';
import { failureText } from './failure-text.ts';
import { type FormProblem, findProblem, type SoloFormValues } from './solo-registration.ts';

const EMPTY: SoloFormValues = { name: '', email: '', password: '', confirmation: '' };

/** Registers a solo account and signs it in. */
export function SoloForm({ onBack }: { readonly onBack: () => void }) {
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(EMPTY);
  const [problem, setProblem] = useState<FormProblem>();

  const registration = useMutation({
    mutationFn: ({ name, email, password }: SoloFormValues) =>
      api.call(routes.auth.registerSolo, { body: { name, email, password } }),
    onSuccess: (answer) => {
      session.signIn(answer);
      void navigate({ to: HOME, replace: true });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findProblem(values);
    setProblem(found);
    if (found === undefined) registration.mutate(values);
    else form.current?.querySelector<HTMLInputElement>(`input[name="${found.field}"]`)?.focus();
  };

  const field = (name: keyof SoloFormValues) => ({
    name,
    value: values[name],
    'aria-invalid': problem?.field === name,
    onChange: (event: ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });
  const refusal = registration.isError
    ? failureText(registration.error, TEXTS.registrationFailed)
    : undefined;

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" autoComplete="name" autoFocus {...field('name')} />
        <TextInput label="Email" type="email" autoComplete="username" {...field('email')} />
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_MIN_AT_REGISTRATION} characters`}
          autoComplete="new-password"
          {...field('password')}
        />
        <PasswordInput label="Confirm password" autoComplete="new-password" {...field('confirmation')} />
        <FormError message={problem?.message ?? refusal} />
        <Group justify="space-between">
          <Button variant="default" onClick={onBack}>
            Back
          </Button>
          <Button type="submit" loading={registration.isPending}>
            Create account
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

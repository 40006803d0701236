import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { PASSWORD_MIN_AT_REGISTRATION, type SignedIn } from '@throughline/contract';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { session } from '../../../shell/api.ts';
import { HOME } from '../../../shell/session/return-path.ts';
import { useAction } from '../../../shell/use-action.ts';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { formatFailure } from '../failure-text.ts';
import { type FormProblem, findProblem, type RegistrationValues, stripSlug } from './registration.ts';
import { SlugState } from './slug-state.tsx';

const EMPTY: RegistrationValues = {
  name: '',
  email: '',
  password: '',
  confirmation: '',
  organizationName: '',
  organizationSlug: '',
};

interface RegistrationFormProps {
  /** True to also ask for an organization's name and slug. */
  readonly ofOrganization?: boolean;
  /** The invited person; the account must be registered with the invitation's email address. */
  readonly invited?: { readonly name: string; readonly email: string };
  readonly register: (values: RegistrationValues) => Promise<SignedIn>;
  /** The message for a failure if the server sent none. */
  readonly failure: string;
  readonly onBack: () => void;
}

/** Registers an account and signs the user in. */
export function RegistrationForm(props: RegistrationFormProps) {
  const { ofOrganization = false, invited } = props;
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState<RegistrationValues>({ ...EMPTY, ...invited });
  const [slugTyped, setSlugTyped] = useState(false);
  const [problem, setProblem] = useState<FormProblem>();

  const registration = useAction({
    failure: (error) => formatFailure(error, props.failure),
    mutationFn: props.register,
    onSuccess: (answer) => {
      session.signIn(answer);
      void navigate({ to: HOME, replace: true });
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = findProblem(values, ofOrganization);
    setProblem(found);
    if (found === undefined) registration.mutate(values);
    else form.current?.querySelector<HTMLInputElement>(`input[name="${found.field}"]`)?.focus();
  };

  const change = (name: keyof RegistrationValues, value: string) =>
    setValues((before) => {
      const after = { ...before, [name]: value };
      if (name === 'organizationName' && !slugTyped) return { ...after, organizationSlug: stripSlug(value) };
      return after;
    });
  const field = (name: keyof RegistrationValues) => ({
    name,
    value: values[name],
    'aria-invalid': problem?.field === name,
    onChange: (event: ChangeEvent<HTMLInputElement>) => change(name, event.currentTarget.value),
  });

  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack>
        <TextInput label="Name" autoComplete="name" autoFocus maxLength={100} {...field('name')} />
        <TextInput
          label="Email"
          type="email"
          autoComplete="username"
          readOnly={invited !== undefined}
          {...field('email')}
        />
        {ofOrganization && (
          <>
            <TextInput
              label="Organization name"
              autoComplete="organization"
              maxLength={100}
              {...field('organizationName')}
            />
            <TextInput
              label="Organization slug"
              description={<SlugState slug={values.organizationSlug} />}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              autoComplete="off"
              spellCheck={false}
              maxLength={63}
              {...field('organizationSlug')}
              onChange={(event) => {
                setSlugTyped(true);
                change('organizationSlug', stripSlug(event.currentTarget.value));
              }}
            />
          </>
        )}
        <PasswordInput
          label="Password"
          description={`At least ${PASSWORD_MIN_AT_REGISTRATION} characters`}
          autoComplete="new-password"
          {...field('password')}
        />
        <PasswordInput label="Confirm password" autoComplete="new-password" {...field('confirmation')} />
        <FormError {...(problem ?? registration.problem)} />
        <Group justify="space-between">
          <Button variant="default" onClick={props.onBack}>
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

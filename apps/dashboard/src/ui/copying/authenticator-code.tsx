import { TextInput } from '@mantine/core';
import type { Ref } from 'react';

/** Digits of a code that an authenticator app shows (RFC 6238). */
export const CODE_DIGITS = 6;

interface AuthenticatorCodeProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly placeholder?: string;
  readonly ref?: Ref<HTMLInputElement>;
  /** Where it takes the focus: with the page, or with the dialog that it stands in. */
  readonly focus: 'page' | 'dialog';
}

/** Takes the digits of a code, and nothing else; phones offer the one that was just sent or shown. */
export function AuthenticatorCode({ onChange, focus, ...field }: AuthenticatorCodeProps) {
  return (
    <TextInput
      {...field}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={CODE_DIGITS}
      {...(focus === 'page' ? { autoFocus: true } : { 'data-autofocus': true })}
      onChange={(event) => onChange(event.currentTarget.value.replace(/\D/g, ''))}
    />
  );
}

import { TextInput } from '@mantine/core';
import type { Ref } from 'react';

/** The number of digits of an authenticator app's code (RFC 6238). */
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

/** A field that accepts only the digits of a code; phones suggest a code that was just received or shown. */
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

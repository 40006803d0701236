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
  /** When the field takes the focus: when the page loads, or when the surrounding dialog opens. */
  readonly focus: 'page' | 'dialog';
}

/** Field that accepts only the digits of a code. Phones suggest a code that was just received or shown. */
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

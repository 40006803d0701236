import { Button, Text, TextInput } from '@mantine/core';
import type { Ref } from 'react';
import { AuthenticatorCode, CODE_DIGITS } from '../../../ui/copying/authenticator-code.tsx';

export interface TypedCode {
  readonly kind: 'app' | 'backup';
  readonly text: string;
  /** True if the user switched to this kind of code, so that the new field takes the focus. */
  readonly isChosen: boolean;
}

export const NO_CODE: TypedCode = { kind: 'app', text: '', isChosen: false };

export function isCompleteCode({ kind, text }: TypedCode): boolean {
  return kind === 'app' ? text.length === CODE_DIGITS : text.trim() !== '';
}

interface CodeFieldProps {
  readonly code: TypedCode;
  readonly onChange: (code: TypedCode) => void;
  readonly ref: Ref<HTMLInputElement>;
  /** When the field takes the focus: when the page loads, or when the surrounding dialog opens. */
  readonly focus: 'page' | 'dialog';
}

/** Field for the second factor: a code from the authenticator app, or a backup code. */
export function CodeField({ code, onChange, ref, focus }: CodeFieldProps) {
  const change = (text: string) => onChange({ ...code, text });
  return (
    <>
      <Text size="sm" c="dimmed">
        {code.kind === 'app'
          ? 'Enter the 6-digit code that your authenticator app shows.'
          : 'Enter one of your backup codes. Each code works once.'}
      </Text>
      {code.kind === 'app' ? (
        <AuthenticatorCode
          ref={ref}
          key="app"
          label="Authenticator code"
          value={code.text}
          onChange={change}
          focus={code.isChosen ? 'page' : focus}
        />
      ) : (
        <TextInput
          ref={ref}
          key="backup"
          label="Backup code"
          name="backup-code"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          autoFocus
          value={code.text}
          onChange={(event) => change(event.currentTarget.value)}
        />
      )}
    </>
  );
}

/** Button that switches between the two kinds of code and clears the field. */
export function CodeKindButton({ code, onChange }: Pick<CodeFieldProps, 'code' | 'onChange'>) {
  const other = code.kind === 'app' ? 'backup' : 'app';
  return (
    <Button variant="subtle" size="xs" onClick={() => onChange({ kind: other, text: '', isChosen: true })}>
      {code.kind === 'app' ? 'Use a backup code' : 'Use the authenticator app'}
    </Button>
  );
}

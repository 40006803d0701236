import { Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { FormProblem } from '../feedback/form-error.tsx';
import { DialogActions } from '../layout/dialog-actions.tsx';

interface NameFormProps {
  readonly name: string;
  readonly maxLength: number;
  /** True if the form appears in an open dialog, in place of the button that had the focus. */
  readonly takesFocus?: boolean;
  readonly saving: { readonly problem: FormProblem | undefined; readonly isPending: boolean };
  readonly onSave: (name: string) => void;
  readonly onCancel: () => void;
  /** Further fields. */
  readonly children?: ReactNode;
}

/** Form in a dialog that changes a name, such as the name of a project. */
export function NameForm({ name: before, maxLength, saving, onSave, onCancel, ...props }: NameFormProps) {
  const [name, setName] = useState(before);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(name.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          autoFocus={props.takesFocus}
          maxLength={maxLength}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {props.children}
        <DialogActions problem={saving.problem} onCancel={onCancel}>
          <Button type="submit" loading={saving.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

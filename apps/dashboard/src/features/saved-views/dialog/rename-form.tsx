import { Button, Stack, TextInput } from '@mantine/core';
import { MAX_VIEW_NAME, type SavedView } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useUpdateView } from '../queries.ts';

interface RenameFormProps {
  readonly view: SavedView;
  readonly onDone: () => void;
}

export function RenameForm({ view, onDone }: RenameFormProps) {
  const [name, setName] = useState(view.name);
  const rename = useUpdateView(view, 'The view could not be renamed.');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ name: name.trim() }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          // The field appears in an open dialog, in place of the button that had the focus.
          autoFocus
          maxLength={MAX_VIEW_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <FormError {...rename.problem} />
        <DialogActions onCancel={onDone}>
          <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

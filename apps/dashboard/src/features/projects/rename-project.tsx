import { Button, Stack, TextInput } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { useUpdateProject } from './queries.ts';

interface RenameProjectProps {
  readonly project: Project;
  readonly onDone: () => void;
}

export function RenameProject({ project, onDone }: RenameProjectProps) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const update = useUpdateProject(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ name, description }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Description"
          maxLength={1000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <FormError message={update.error?.message} />
        <DialogActions onCancel={onDone}>
          <Button type="submit" disabled={name.trim() === ''} loading={update.isPending}>
            Save
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

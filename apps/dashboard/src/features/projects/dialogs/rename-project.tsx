import { Button, Stack, TextInput } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { FormError } from '../../../ui/feedback/form-error.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useRenameProject } from '../queries.ts';

interface RenameProjectProps {
  readonly project: Project;
  readonly onDone: () => void;
}

export function RenameProject({ project, onDone }: RenameProjectProps) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const rename = useRenameProject(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate({ name: name.trim(), description: description.trim() }, { onSuccess: onDone });
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

import { Button, Stack, TextInput } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { useOnce } from '../../shell/use-once.ts';
import { DialogActions } from '../../ui/dialog-actions.tsx';
import { useRenameProject } from './queries.ts';

interface RenameProjectProps {
  readonly project: Project;
  readonly onDone: () => void;
}

export function RenameProject({ project, onDone }: RenameProjectProps) {
  const [name, setName] = useState(project.name);
  const [description, setDescription] = useState(project.description);
  const rename = useRenameProject(project);
  const save = useOnce(() => {
    rename.mutate({ name: name.trim(), description: description.trim() });
    onDone();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save();
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
        <DialogActions onCancel={onDone}>
          <Button type="submit" disabled={name.trim() === ''}>
            Save
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

import { TextInput } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { useState } from 'react';
import { NameForm } from '../../../ui/forms/name-form.tsx';
import { useRenameProject } from '../queries.ts';

interface RenameProjectProps {
  readonly project: Project;
  readonly onDone: () => void;
}

export function RenameProject({ project, onDone }: RenameProjectProps) {
  const [description, setDescription] = useState(project.description);
  const rename = useRenameProject(project);
  return (
    <NameForm
      name={project.name}
      maxLength={100}
      saving={rename}
      onSave={(name) => rename.mutate({ name, description: description.trim() }, { onSuccess: onDone })}
      onCancel={onDone}
    >
      <TextInput
        label="Description"
        maxLength={1000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </NameForm>
  );
}

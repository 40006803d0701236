import { Button, Stack, Text, TextInput } from '@mantine/core';
import { formatCount, type Project } from '@throughline/contract';
import { type FormEvent, useState } from 'react';
import { useChangeView, useViewParams } from '../../../shell/url-state/search-params.ts';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { useDeleteProject } from '../queries.ts';

interface DeleteProjectProps {
  readonly project: Project;
  readonly onDone: () => void;
}

/** Deletes a project permanently, after the user typed its name. */
export function DeleteProject({ project, onDone }: DeleteProjectProps) {
  const [typed, setTyped] = useState('');
  const removal = useDeleteProject(project);
  const { project: selected } = useViewParams();
  const change = useChangeView();
  const confirmed = typed.trim() === project.name;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!confirmed) return;
    removal.mutate(undefined, {
      onSuccess: () => {
        notifySuccess(`${project.name} was deleted.`);
        onDone();
        if (selected === project.id) change({ project: undefined }, { replace: true });
        // The button that opened the dialog was removed with the project, so focus the page instead.
        document.getElementById('main')?.focus({ preventScroll: true });
      },
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">
          This deletes <strong>{project.name}</strong>, its API key and{' '}
          {project.traceCount === 1 ? 'one trace' : `${formatCount(project.traceCount)} traces`}. Apps that
          still use the key are rejected. This cannot be undone.
        </Text>
        <TextInput
          label={`Type “${project.name}” to confirm`}
          data-autofocus
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <DialogActions problem={removal.problem} onCancel={onDone}>
          <Button type="submit" color="red" disabled={!confirmed} loading={removal.isPending}>
            Delete project
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

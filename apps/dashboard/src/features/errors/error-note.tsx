import { Button, Group, Textarea } from '@mantine/core';
import { type ErrorGroup, MAX_ERROR_NOTE } from '@throughline/contract';
import { useState } from 'react';
import { notifyFailure } from '../../ui/feedback/notify-failure.tsx';
import classes from './errors.module.css';
import { useUpdateError } from './queries.ts';

/** Note about an error, which the project's members share and edit. */
export function ErrorNote({ projectId, error }: { readonly projectId: string; readonly error: ErrorGroup }) {
  const [note, setNote] = useState(error.note);
  const update = useUpdateError(projectId, error.id);
  const isChanged = note !== error.note;
  return (
    <section className={classes.panel} aria-label="Note">
      <Textarea
        label="Note"
        placeholder="Cause, ticket, who is working on it"
        autosize
        minRows={2}
        maxRows={8}
        maxLength={MAX_ERROR_NOTE}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Group mt="xs">
        <Button
          size="compact-sm"
          disabled={!isChanged}
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { note },
              { onError: (failure) => notifyFailure('The note could not be saved.', failure) },
            )
          }
        >
          Save note
        </Button>
      </Group>
    </section>
  );
}

import { Button, Group, Text, Textarea } from '@mantine/core';
import { type ErrorGroup, MAX_ERROR_NOTE } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useState } from 'react';
import classes from './errors.module.css';
import { useUpdateError } from './queries.ts';

/** A note that is not saved yet; `over` is the saved note that this draft replaces. */
interface Draft {
  readonly text: string;
  readonly over: string;
}

/** Note about an error, which the project's members share and edit. */
export function ErrorNote({ projectId, error }: { readonly projectId: string; readonly error: ErrorGroup }) {
  // Undefined until the user types: until then, the field shows each note that another member saves.
  const [draft, setDraft] = useState<Draft>();
  const update = useUpdateError(projectId, error.id, 'The note could not be saved.');
  const { text: note, over } = draft ?? { text: error.note, over: error.note };
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
        onChange={({ currentTarget: { value } }) => setDraft({ text: value, over })}
      />
      {isChanged && error.note !== over && (
        <Text role="status" size="sm" mt="xs" style={{ overflowWrap: 'anywhere' }}>
          The note has changed since you began to edit. Saving replaces{' '}
          {error.note === '' ? 'an empty note' : `“${escapeControlCharacters(error.note)}”`}.
        </Text>
      )}
      <Group mt="xs">
        <Button
          size="compact-sm"
          disabled={!isChanged}
          loading={update.isPending}
          onClick={() => update.mutate({ note }, { onSuccess: () => setDraft(undefined) })}
        >
          Save note
        </Button>
        {isChanged && (
          <Button size="compact-sm" variant="default" onClick={() => setDraft(undefined)}>
            Discard changes
          </Button>
        )}
      </Group>
    </section>
  );
}

import { Button, Radio, Stack, Text } from '@mantine/core';
import type { ErrorGroup } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useState } from 'react';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { writePlace } from '../error-list.tsx';
import classes from '../errors.module.css';
import { useMergeErrors } from '../queries.ts';

interface MergeFormProps {
  readonly projectId: string;
  /** The possible targets of the merge. */
  readonly targets: readonly ErrorGroup[];
  /** The target that is selected at first. If undefined, the user must select a target before the errors can be merged. */
  readonly proposed?: ErrorGroup | undefined;
  /** True while a search for other targets runs. `targets` can then be outdated, so the errors cannot be merged. */
  readonly isSearching?: boolean;
  /** Returns the ids of the errors that are merged into the chosen target. */
  readonly listMerged: (targetId: string) => string[];
  readonly onMerged: (targetId: string) => void;
  readonly onCancel: () => void;
}

/** Explains what a merge does. */
export function MergeNote() {
  return (
    <Text size="sm">
      The merged errors are shown as one error, with the message, state, note and assignee of the error that
      you choose here. You can split off merged errors later.
    </Text>
  );
}

/** Form that selects the target of a merge. */
export function MergeForm({
  projectId,
  targets,
  proposed,
  isSearching = false,
  listMerged,
  onMerged,
  onCancel,
}: MergeFormProps) {
  const [chosen, setChosen] = useState(proposed?.id);
  const merge = useMergeErrors(projectId, (targetId) => {
    notifySuccess('The errors were merged.');
    onMerged(targetId);
  });
  const target = targets.find(({ id }) => id === chosen);
  return (
    <Stack>
      <Radio.Group label="Merge into" value={chosen ?? ''} onChange={setChosen}>
        <Stack
          gap="xs"
          mt="xs"
          className={classes.targets ?? ''}
          aria-busy={isSearching}
          data-stale={isSearching}
        >
          {targets.map((error) => (
            <Radio
              key={error.id}
              value={error.id}
              label={escapeControlCharacters(error.message)}
              description={writePlace(error)}
            />
          ))}
        </Stack>
      </Radio.Group>
      <DialogActions problem={merge.problem} onCancel={onCancel}>
        <Button
          loading={merge.isPending}
          disabled={target === undefined || isSearching}
          onClick={() =>
            target !== undefined && merge.mutate({ targetId: target.id, errorIds: listMerged(target.id) })
          }
        >
          Merge
        </Button>
      </DialogActions>
    </Stack>
  );
}

import { Button, Stack, Text } from '@mantine/core';
import type { SavedView, ViewPage } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { describeSaved } from '../describe-saved.ts';
import { useDeleteView, useUpdateView } from '../queries.ts';
import classes from '../saved-views.module.css';
import { readSavedParams } from '../view-address.ts';

interface ConfirmFormProps {
  readonly kind: 'replace' | 'delete';
  readonly view: SavedView;
  readonly page: ViewPage;
  readonly onDone: () => void;
}

/** Asks for confirmation before the list's filters replace the filters of a view, or before a view is deleted. */
export function ConfirmForm({ kind, view, page, onDone }: ConfirmFormProps) {
  const params = readSavedParams(useViewParams());
  const update = useUpdateView(view, 'The filters of the view could not be replaced.');
  const removal = useDeleteView(view);
  const name = escapeControlCharacters(view.name);
  const forWhom = view.shared ? ' for everyone in the project' : '';
  const finish = (message: string) => ({
    onSuccess: () => {
      notifySuccess(message);
      onDone();
    },
  });
  const act =
    kind === 'replace'
      ? {
          label: 'Replace filters',
          mutation: update,
          run: () => update.mutate({ page, params }, finish(`${name} now has the current filters.`)),
          text: `“${name}” gets the current filters of this list${forWhom}: ${describeSaved(params).join(', ')}.`,
        }
      : {
          label: 'Delete view',
          mutation: removal,
          run: () => removal.mutate(undefined, finish(`${name} was deleted.`)),
          text: `This deletes “${name}”${forWhom}. The traces stay.`,
        };
  const { problem, isPending } = act.mutation;
  return (
    <Stack>
      <Text size="sm" className={classes.text ?? ''}>
        {act.text}
      </Text>
      <DialogActions problem={problem} onCancel={onDone}>
        <Button
          autoFocus
          {...(kind === 'delete' ? { color: 'red' } : {})}
          loading={isPending}
          onClick={act.run}
        >
          {act.label}
        </Button>
      </DialogActions>
    </Stack>
  );
}

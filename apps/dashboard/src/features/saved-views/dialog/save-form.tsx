import { Button, Checkbox, Radio, Stack, Text, TextInput } from '@mantine/core';
import { MAX_PINNED_VIEWS, MAX_VIEW_NAME, type ViewPage } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { type FormEvent, useState } from 'react';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { notifySuccess } from '../../../ui/feedback/notify-success.tsx';
import { DialogActions } from '../../../ui/layout/dialog-actions.tsx';
import { describeSaved } from '../describe-saved.ts';
import { useSaveView } from '../queries.ts';
import { useListedViews } from '../use-listed-views.ts';
import { readSavedParams } from '../view-address.ts';

interface SaveFormProps {
  readonly page: ViewPage;
  readonly projectId: string | undefined;
  readonly onDone: () => void;
}

/** Form that saves the list's filters under a name. */
export function SaveForm({ page, projectId, onDone }: SaveFormProps) {
  const params = readSavedParams(useViewParams());
  const mayPin = useListedViews(projectId).pinned < MAX_PINNED_VIEWS;
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [wantsPin, setWantsPin] = useState(true);
  const save = useSaveView();
  const pinned = mayPin && wantsPin;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { name: name.trim(), projectId: projectId ?? null, page, params, shared, pinned },
      {
        onSuccess: ({ view }) => {
          notifySuccess(`${escapeControlCharacters(view.name)} was saved.`);
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Saves this list: {describeSaved(params).join(', ')}.</Text>
        <TextInput
          label="Name"
          data-autofocus
          maxLength={MAX_VIEW_NAME}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label="Who can see the view"
          value={shared ? 'project' : 'me'}
          onChange={(chosen) => setShared(chosen === 'project')}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="me" label="Only me" />
            <Radio
              value="project"
              label="Everyone in the project"
              disabled={projectId === undefined}
              description={
                projectId === undefined ? 'Select a project in the list to share a view.' : undefined
              }
            />
          </Stack>
        </Radio.Group>
        <Checkbox
          label="Pin to the sidebar"
          description={
            mayPin ? undefined : `You have pinned ${MAX_PINNED_VIEWS} views. Unpin one of them first.`
          }
          disabled={!mayPin}
          checked={pinned}
          onChange={(event) => setWantsPin(event.currentTarget.checked)}
        />
        <DialogActions problem={save.problem} onCancel={onDone}>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === ''}>
            Save view
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}

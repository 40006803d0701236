import { Button, Modal, Stack, TextInput } from '@mantine/core';
import { type ErrorGroup, MAX_ROW_SEARCH } from '@throughline/contract';
import { useState } from 'react';
import { useChangeView } from '../../../shell/url-state/search-params.ts';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { LoadState } from '../../../ui/feedback/load-state.tsx';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { useTypedText } from '../../../ui/hooks/use-typed-text.ts';
import { type ErrorRange, useErrorList } from '../queries.ts';
import { MergeForm, MergeNote } from './merge-form.tsx';

/** Maximum number of listed errors; the search field above finds the others. */
const MAX_OFFERED = 20;
/** Time without typing after which the errors are searched. Milliseconds. */
const REST_MS = 200;

interface MergeIntoProps {
  readonly projectId: string;
  readonly error: ErrorGroup;
  readonly range: ErrorRange;
}

/** Button that merges an error into another error. */
export function MergeInto(props: MergeIntoProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        Merge into…
      </Button>
      <Modal
        opened={useOpenAfterMount(isOpen)}
        onClose={() => setOpen(false)}
        title="Merge into another error"
      >
        <Targets {...props} onClose={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function Targets({ projectId, error, range, onClose }: MergeIntoProps & { readonly onClose: () => void }) {
  const [search, setSearch] = useState('');
  const [text, type] = useTypedText(search, setSearch, REST_MS);
  const change = useChangeView();
  // The server searches, because the list of all errors contains only the first 200.
  const list = useErrorList(projectId, { ...range, state: 'all', ...(search !== '' && { search }) });
  const others = list.data?.errors.filter(({ id }) => id !== error.id);
  return (
    <Stack>
      <MergeNote />
      <TextInput
        label="Find an error"
        placeholder="Message, type, function or endpoint"
        maxLength={MAX_ROW_SEARCH}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        data-autofocus
      />
      <LoadState query={list} what="errors" failure="The errors could not be loaded." rows={4} />
      {others?.length === 0 && (
        <EmptyState title={search === '' ? 'No other errors in this range' : 'No matching errors'} />
      )}
      {others !== undefined && others.length > 0 && (
        <MergeForm
          // A new search resets the form and its selected target. Errors that arrive later do not reset the form.
          key={list.isPlaceholderData ? 'previous' : `found ${search}`}
          projectId={projectId}
          isSearching={list.isPlaceholderData || text.trim() !== search}
          targets={others.slice(0, MAX_OFFERED)}
          proposed={others.length === 1 ? others[0] : undefined}
          listMerged={() => [error.id]}
          onMerged={(targetId) => {
            onClose();
            change({ error: targetId });
          }}
          onCancel={onClose}
        />
      )}
    </Stack>
  );
}

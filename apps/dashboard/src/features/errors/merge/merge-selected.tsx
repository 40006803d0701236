import { Button, Modal, Stack } from '@mantine/core';
import type { ErrorGroup } from '@throughline/contract';
import { useState } from 'react';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { MergeForm, MergeNote } from './merge-form.tsx';

interface MergeSelectedProps {
  readonly projectId: string;
  readonly selected: readonly ErrorGroup[];
  readonly onMerged: () => void;
}

/** Button that merges the selected errors of the list. */
export function MergeSelected({ projectId, selected, onMerged }: MergeSelectedProps) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const targets = selected.toSorted((a, b) => b.count - a.count);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        disabled={selected.length < 2}
        title={selected.length < 2 ? 'Select at least two errors' : undefined}
        onClick={() => setOpen(true)}
      >
        Merge…
      </Button>
      <Modal opened={useOpenAfterMount(isOpen)} onClose={close} title={`Merge ${selected.length} errors`}>
        <Stack>
          <MergeNote />
          <MergeForm
            projectId={projectId}
            targets={targets}
            proposed={targets[0]}
            listMerged={(targetId) => selected.map(({ id }) => id).filter((id) => id !== targetId)}
            onMerged={() => {
              close();
              onMerged();
            }}
            onCancel={close}
          />
        </Stack>
      </Modal>
    </>
  );
}

import { Button, Group, type MantineSpacing } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogActionsProps {
  readonly onCancel: () => void;
  /** The label of the cancel button. */
  readonly cancel?: string;
  /** Has the focus at first, where going on does harm. */
  readonly cancelFirst?: boolean;
  readonly mt?: MantineSpacing;
  /** The button that goes on; nothing where there is no way on. */
  readonly children: ReactNode;
}

/** The foot of a question: the way back, then the way on. */
export function DialogActions({
  onCancel,
  cancel = 'Cancel',
  cancelFirst,
  mt,
  children,
}: DialogActionsProps) {
  return (
    <Group justify="flex-end" data-toolbar {...(mt === undefined ? {} : { mt })}>
      <Button variant="default" onClick={onCancel} data-autofocus={cancelFirst === true || undefined}>
        {cancel}
      </Button>
      {children}
    </Group>
  );
}

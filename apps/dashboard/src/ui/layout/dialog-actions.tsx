import { Button, Group, type MantineSpacing } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogActionsProps {
  readonly onCancel: () => void;
  /** The label of the cancel button. */
  readonly cancel?: string;
  /** True if the cancel button is focused at first, because the action is destructive. */
  readonly cancelFirst?: boolean;
  readonly mt?: MantineSpacing;
  /** The button that confirms; undefined if the user can only cancel. */
  readonly children: ReactNode;
}

/** The bottom of a dialog: the cancel button, then the confirm button. */
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

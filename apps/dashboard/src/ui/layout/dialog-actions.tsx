import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { FormError, type FormProblem } from '../feedback/form-error.tsx';
import classes from './dialog-actions.module.css';

interface DialogActionsProps {
  readonly onCancel: () => void;
  /** The label of the cancel button. */
  readonly cancel?: string;
  /** True if the cancel button is focused at first, because the action is destructive. */
  readonly cancelFirst?: boolean;
  /** The reason why the action failed, shown above the buttons. */
  readonly problem?: FormProblem | undefined;
  /** The button that confirms; undefined if the user can only cancel. */
  readonly children: ReactNode;
}

/** The bottom of a dialog: the cancel button, then the confirm button. It stays in view while a long dialog scrolls. */
export function DialogActions({
  onCancel,
  cancel = 'Cancel',
  cancelFirst,
  problem,
  children,
}: DialogActionsProps) {
  return (
    <div className={classes.footer}>
      <FormError {...problem} />
      <Group justify="flex-end" data-toolbar>
        <Button variant="default" onClick={onCancel} data-autofocus={cancelFirst === true || undefined}>
          {cancel}
        </Button>
        {children}
      </Group>
    </div>
  );
}

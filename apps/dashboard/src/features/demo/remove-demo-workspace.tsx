import { Button, Modal, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { routes } from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { useAction } from '../../shell/use-action.ts';
import { notifySuccess } from '../../ui/feedback/notify-success.tsx';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import { DialogActions } from '../../ui/layout/dialog-actions.tsx';

interface RemoveDemoWorkspaceProps {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before it deletes the demo workspace together with the viewer's own account. */
export function RemoveDemoWorkspace({ opened, onClose }: RemoveDemoWorkspaceProps) {
  const navigate = useNavigate();
  const removal = useAction({
    failure: 'The demo workspace was not removed.',
    mutationFn: () => api.call(routes.demo.remove, {}),
    onSuccess: () => {
      session.logout();
      notifySuccess('The demo workspace was removed. Register to create your own workspace.');
      void navigate({ to: '/login' });
    },
  });
  return (
    <Modal opened={useOpenAfterMount(opened)} onClose={onClose} title="Remove demo workspace?" centered>
      <Stack>
        <Text size="sm">
          This deletes its accounts (including yours), projects and traces. You will be logged out. This
          cannot be undone.
        </Text>
        <DialogActions problem={removal.problem} onCancel={onClose} cancelFirst>
          <Button color="red" loading={removal.isPending} onClick={() => removal.mutate()}>
            Remove demo workspace
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
}

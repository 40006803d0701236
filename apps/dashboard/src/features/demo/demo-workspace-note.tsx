import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { mayDo, routes } from '@throughline/contract';
import { api, session } from '../../shell/api.ts';
import { useSignedIn } from '../../shell/use-session.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import classes from './demo-workspace-note.module.css';

/** Says that this is the demo, and lets its owner remove it. Nothing in any other organization. */
export function DemoWorkspaceNote() {
  const { organization } = useSignedIn();
  const [asking, ask] = useDisclosure(false);
  if (organization === null || !organization.demo) return null;
  return (
    <div className={classes.root}>
      <Text size="xs" c="dimmed">
        This is the demo workspace: real traces of a small shop that runs beside the product.
      </Text>
      {mayDo(organization.role, 'demo.remove') && (
        <>
          <Button size="compact-xs" variant="default" mt={6} onClick={ask.open}>
            Remove demo workspace
          </Button>
          <Modal opened={asking} onClose={ask.close} title="Remove demo workspace?" centered>
            <RemoveDemoWorkspace onCancel={ask.close} />
          </Modal>
        </>
      )}
    </div>
  );
}

function RemoveDemoWorkspace({ onCancel }: { readonly onCancel: () => void }) {
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => api.call(routes.demo.remove, {}),
    onSuccess: () => {
      session.logout();
      notifications.show({ message: 'The demo workspace was removed. Register to make your own.' });
      void navigate({ to: '/login' });
    },
  });
  return (
    <>
      <Text size="sm">
        Its accounts (yours, too), projects and traces go, and cannot be brought back. You will be logged out.
      </Text>
      {removal.isError && (
        <div className={classes.failure}>
          <ErrorNotice what="The demo workspace was not removed." error={removal.error} />
        </div>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={removal.isPending} onClick={() => removal.mutate()}>
          Remove demo workspace
        </Button>
      </Group>
    </>
  );
}

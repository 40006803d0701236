import { Button, Text } from '@mantine/core';
import { mayDo } from '@throughline/contract';
import { Suspense } from 'react';
import { useOpened } from '../../shell/frame/use-opened.ts';
import { lazyPart } from '../../shell/load-page.ts';
import { useSignedIn } from '../../shell/session/use-session.ts';
import classes from './demo-workspace-note.module.css';

const RemoveDemoWorkspace = lazyPart(() => import('./remove-demo-workspace.tsx'), 'RemoveDemoWorkspace');

/**
 * Shows that the organization is the demo workspace, and lets the owner remove the demo workspace. Renders nothing in other organizations.
 */
export function DemoWorkspaceNote() {
  const { organization } = useSignedIn();
  const removal = useOpened();
  if (organization === null || !organization.demo) return null;
  return (
    <div className={classes.root}>
      <Text size="xs" c="dimmed">
        This is the demo workspace: real traces of a small shop that runs next to the product.
      </Text>
      {mayDo(organization.role, 'demo.remove') && (
        <Button size="compact-xs" variant="default" mt={6} onClick={removal.open}>
          Remove demo workspace
        </Button>
      )}
      {removal.wasOpened && (
        <Suspense>
          <RemoveDemoWorkspace opened={removal.isOpen} onClose={removal.close} />
        </Suspense>
      )}
    </div>
  );
}

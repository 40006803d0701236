import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShare } from '@tabler/icons-react';
import type { Trace } from '@throughline/contract';
import type { SignedInSession } from '../../shell/session/stored-session.ts';
import { useSession } from '../../shell/session/use-session.ts';
import { mayDoWith, useProjects } from '../projects/index.ts';
import { ShareDialog } from './share-dialog.tsx';

/** Button that opens the share dialog; shown only to users who can share the trace. */
export function ShareButton({ trace }: { readonly trace: Trace }) {
  const session = useSession();
  return session.status === 'signed-in' ? <MemberShareButton trace={trace} who={session} /> : null;
}

interface MemberShareButtonProps {
  readonly trace: Trace;
  readonly who: Pick<SignedInSession, 'organization'>;
}

function MemberShareButton({ trace, who }: MemberShareButtonProps) {
  const [opened, dialog] = useDisclosure(false);
  // The list lacks other people's public projects, so the button is not shown for their traces.
  const project = useProjects().data?.find(({ id }) => id === trace.projectId);
  if (project === undefined || !mayDoWith(who, project, 'traces.share')) return null;
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconShare size={14} aria-hidden />}
        onClick={dialog.open}
      >
        Share
      </Button>
      <ShareDialog traceId={trace._id} opened={opened} onClose={dialog.close} />
    </>
  );
}

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconShare } from '@tabler/icons-react';
import type { Trace } from '@throughline/contract';
import type { SignedInSession } from '../../shell/session/stored-session.ts';
import { useSession } from '../../shell/session/use-session.ts';
import { mayDoWith, useProjects } from '../projects/index.ts';
import { ShareDialog } from './share-dialog.tsx';

/**
 * Button that opens the share dialog; shown only to users who can share the trace. Until the trace and the list of projects are loaded, the
 * button is disabled.
 */
export function ShareButton({ trace }: { readonly trace: Trace | undefined }) {
  const session = useSession();
  if (session.status !== 'signed-in') return null;
  return trace === undefined ? <OpenButton disabled /> : <MemberShareButton trace={trace} who={session} />;
}

interface OpenButtonProps {
  readonly disabled?: boolean;
  readonly onClick?: () => void;
}

function OpenButton(props: OpenButtonProps) {
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconShare size={14} aria-hidden />} {...props}>
      Share
    </Button>
  );
}

interface MemberShareButtonProps {
  readonly trace: Trace;
  readonly who: Pick<SignedInSession, 'organization'>;
}

function MemberShareButton({ trace, who }: MemberShareButtonProps) {
  const [opened, dialog] = useDisclosure(false);
  // The list of projects lacks public projects of other people, so the button is not shown for traces of those projects.
  const { data: projects, isPending } = useProjects();
  const project = projects?.find(({ id }) => id === trace.projectId);
  if (isPending) return <OpenButton disabled />;
  if (project === undefined || !mayDoWith(who, project, 'traces.share')) return null;
  return (
    <>
      <OpenButton onClick={dialog.open} />
      <ShareDialog traceId={trace._id} opened={opened} onClose={dialog.close} />
    </>
  );
}

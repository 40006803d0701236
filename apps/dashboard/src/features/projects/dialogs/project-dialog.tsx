import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Project } from '@throughline/contract';
import { useState } from 'react';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import { ApiKeyDialog } from './api-key-dialog.tsx';
import { DeleteProject } from './delete-project.tsx';
import { RenameProject } from './rename-project.tsx';

export type DialogKind = 'key' | 'rename' | 'delete';

export interface OpenDialog {
  readonly kind: DialogKind;
  readonly projectId: string;
}

const TITLES: Readonly<Record<DialogKind, string>> = {
  key: 'Manage API Key',
  rename: 'Rename project',
  delete: 'Delete project?',
};

interface ProjectDialogProps {
  readonly dialog: OpenDialog | undefined;
  readonly projects: readonly Project[];
  readonly onClose: () => void;
}

/** The dialog that is open over the project cards, if any. Closes if its project no longer exists. */
export function ProjectDialog({ dialog, projects, onClose }: ProjectDialogProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  const project = projects.find(({ id }) => id === dialog?.projectId);
  const open = dialog !== undefined && project !== undefined;
  // Keeps rendering the last content while the dialog fades out.
  const [shown, setShown] = useState<{ kind: DialogKind; project: Project }>();
  if (open && (shown?.kind !== dialog.kind || shown.project !== project)) {
    setShown({ kind: dialog.kind, project });
  }
  return (
    <Modal
      opened={useOpenAfterMount(open)}
      onClose={onClose}
      title={shown === undefined ? '' : TITLES[shown.kind]}
      size={shown?.kind === 'key' ? 'lg' : 'md'}
      fullScreen={narrow && shown?.kind === 'key'}
    >
      {shown?.kind === 'key' && <ApiKeyDialog project={shown.project} />}
      {shown?.kind === 'rename' && <RenameProject project={shown.project} onDone={onClose} />}
      {shown?.kind === 'delete' && <DeleteProject project={shown.project} onDone={onClose} />}
    </Modal>
  );
}

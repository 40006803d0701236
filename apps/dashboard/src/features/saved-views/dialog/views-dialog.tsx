import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ViewPage } from '@throughline/contract';
import { useRef, useState } from 'react';
import { useFocusInside } from '../../../ui/hooks/use-focus-inside.ts';
import { useOpenAfterMount } from '../../../ui/hooks/use-open-after-mount.ts';
import classes from '../saved-views.module.css';
import { ConfirmForm } from './confirm-form.tsx';
import { ManagedViews } from './managed-views.tsx';
import { RenameForm } from './rename-form.tsx';
import { SaveForm } from './save-form.tsx';
import type { ViewsStep } from './views-step.ts';

interface ViewsDialogProps {
  readonly page: ViewPage;
  readonly projectId: string | undefined;
  /** Undefined while the dialog is closed. */
  readonly step: ViewsStep | undefined;
  readonly onStep: (step: ViewsStep) => void;
  readonly onClose: () => void;
}

const TITLES: Readonly<Record<ViewsStep['kind'], string>> = {
  save: 'Save this view',
  list: 'Saved views',
  rename: 'Rename view',
  replace: 'Replace the filters?',
  delete: 'Delete view?',
};

/** Dialog that saves the list's filters as a view, and manages saved views. */
export function ViewsDialog({ page, projectId, step, onStep, onClose }: ViewsDialogProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false;
  // Keeps rendering the last content while the dialog fades out.
  const [shown, setShown] = useState<ViewsStep>();
  if (step !== undefined && step !== shown) setShown(step);
  const isList = shown?.kind === 'list';
  return (
    <Modal
      opened={useOpenAfterMount(step !== undefined)}
      onClose={onClose}
      title={shown === undefined ? '' : TITLES[shown.kind]}
      size={isList ? 'lg' : 'md'}
      fullScreen={isList && narrow}
    >
      {shown !== undefined && (
        <Content page={page} projectId={projectId} step={shown} onStep={onStep} onClose={onClose} />
      )}
    </Modal>
  );
}

function Content({
  page,
  projectId,
  step,
  onStep,
  onClose,
}: ViewsDialogProps & { readonly step: ViewsStep }) {
  const content = useRef<HTMLDivElement>(null);
  // The button with the focus disappears when the dialog shows another form, so the dialog gets the focus.
  useFocusInside(content);
  const back = () => onStep({ kind: 'list' });
  return (
    <div
      ref={content}
      tabIndex={-1}
      className={classes.content}
      data-autofocus={step.kind === 'list' || undefined}
    >
      {step.kind === 'save' && <SaveForm page={page} projectId={projectId} onDone={onClose} />}
      {step.kind === 'list' && <ManagedViews projectId={projectId} onStep={onStep} onClose={onClose} />}
      {step.kind === 'rename' && <RenameForm view={step.view} onDone={back} />}
      {(step.kind === 'replace' || step.kind === 'delete') && (
        <ConfirmForm key={step.kind} kind={step.kind} view={step.view} page={page} onDone={back} />
      )}
    </div>
  );
}

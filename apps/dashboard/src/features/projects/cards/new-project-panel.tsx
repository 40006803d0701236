import { CloseButton } from '@mantine/core';
import type { Project } from '@throughline/contract';
import { useEffect, useRef } from 'react';
import { WaitingForFirstTrace } from '../first-trace/first-trace.tsx';
import classes from './new-project-panel.module.css';

interface NewProjectPanelProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Setup steps for tracing an app, shown after a project was created. Takes the focus from the form above. */
export function NewProjectPanel({ project, onClose }: NewProjectPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={panel} tabIndex={-1} className={classes.root}>
      <CloseButton className={classes.close} aria-label="Close setup" onClick={onClose} />
      <WaitingForFirstTrace project={project} />
    </div>
  );
}

import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './tab-list.module.css';

interface TabListProps {
  readonly label: string;
  /** The open tab. */
  readonly open: string;
  readonly children: ReactNode;
}

/** Tabs in one line. Where it is narrow they scroll: the open one is in view, however it was opened. */
export function TabList({ label, open, children }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of view
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [open]);
  return (
    <Tabs.List ref={list} aria-label={label} className={classes.list ?? ''}>
      {children}
    </Tabs.List>
  );
}

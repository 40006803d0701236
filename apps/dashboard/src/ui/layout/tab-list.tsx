import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useHiddenSides } from '../hooks/use-hidden-sides.ts';
import classes from './tab-list.module.css';

interface TabListProps {
  readonly label: string;
  /** The open tab. */
  readonly open: string;
  readonly children: ReactNode;
}

/** Scrolls only the list: `scrollIntoView` would scroll the page, too. */
function showOpenTab(list: HTMLElement): void {
  const tab = list.querySelector<HTMLElement>('[aria-selected="true"]');
  if (tab === null) return;
  const room = list.getBoundingClientRect();
  const { left, right } = tab.getBoundingClientRect();
  if (left < room.left) list.scrollLeft -= room.left - left;
  else if (right > room.right) list.scrollLeft += right - room.right;
}

/** Tabs in one line. If the line is too narrow, the tabs scroll. The open tab is always in view, even if it was not opened by a click. */
export function TabList({ label, open, children }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const more = useHiddenSides(list);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab may be out of view
  useEffect(() => {
    if (list.current !== null) showOpenTab(list.current);
  }, [open]);
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const observer = new ResizeObserver(() => showOpenTab(current));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <Tabs.List ref={list} aria-label={label} className={classes.list ?? ''} data-more={more}>
      {children}
    </Tabs.List>
  );
}

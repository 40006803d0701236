import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useOpenAfterMount } from '../../ui/hooks/use-open-after-mount.ts';
import classes from './app-shell.module.css';

interface MenuDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Contains the sidebar on a narrow screen. */
export function MenuDrawer({ opened, onClose, children }: MenuDrawerProps) {
  return (
    <Drawer
      opened={useOpenAfterMount(opened)}
      onClose={onClose}
      size={256}
      padding={0}
      title={<span className="visually-hidden">Menu</span>}
      classNames={{
        header: classes.drawerHeader,
        body: classes.drawerBody,
        content: classes.drawerContent,
      }}
    >
      {children}
    </Drawer>
  );
}

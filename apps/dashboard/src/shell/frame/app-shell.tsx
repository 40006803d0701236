import { Burger } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Brand } from '../../ui/layout/brand.tsx';
import { lazyPart } from '../load-page.ts';
import classes from './app-shell.module.css';
import { Sidebar } from './sidebar.tsx';
import { useOpened } from './use-opened.ts';

const MenuDrawer = lazyPart(() => import('./menu-drawer.tsx'), 'MenuDrawer');

interface AppShellProps {
  /** The button that opens the command palette, shown above the sidebar's entries. */
  readonly jump: ReactNode;
  /** The notice about the workspace, shown above the account in the sidebar. */
  readonly note: ReactNode;
  /** The pinned views, shown below the sidebar's entries. */
  readonly views: ComponentType<{ readonly onNavigate?: (() => void) | undefined }>;
  readonly children: ReactNode;
}

/** The frame of every signed-in page: a sidebar, or below 768 px a top bar with a drawer. */
export function AppShell({ jump, note, views, children }: AppShellProps) {
  const drawer = useOpened();
  const main = useFocusOnNewPage();
  return (
    <div className={classes.root}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.sidebar}>
        <Sidebar jump={jump} note={note} views={views} />
      </aside>
      <section aria-label="Top bar" className={classes.bar}>
        <Burger
          size="sm"
          opened={drawer.isOpen}
          onClick={drawer.open}
          aria-label="Open menu"
          aria-expanded={drawer.isOpen}
        />
        <Brand />
      </section>
      {drawer.wasOpened && (
        <Suspense>
          <MenuDrawer opened={drawer.isOpen} onClose={drawer.close}>
            <Sidebar jump={jump} note={note} views={views} onNavigate={drawer.close} />
          </MenuDrawer>
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}

/** Moves the focus to the content of a new page, as after a real page load, so that screen readers read the page's heading. */
function useFocusOnNewPage() {
  const main = useRef<HTMLElement>(null);
  const path = useLocation({ select: (location) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}

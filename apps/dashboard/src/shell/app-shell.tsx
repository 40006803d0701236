import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Brand } from '../ui/brand.tsx';
import classes from './app-shell.module.css';
import { Sidebar } from './sidebar.tsx';

interface AppShellProps {
  /** What is said of the workspace, above the account. */
  readonly note: ReactNode;
  readonly children: ReactNode;
}

/** What stands around every signed-in page: the sidebar, or below 768 px a bar with a drawer. */
export function AppShell({ note, children }: AppShellProps) {
  const [drawerOpen, drawer] = useDisclosure(false);
  const main = useFocusOnNewPage();
  return (
    <div className={classes.root}>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <aside className={classes.sidebar}>
        <Sidebar note={note} />
      </aside>
      <section aria-label="Top bar" className={classes.bar}>
        <Burger
          size="sm"
          opened={drawerOpen}
          onClick={drawer.open}
          aria-label="Open menu"
          aria-expanded={drawerOpen}
        />
        <Brand />
      </section>
      <Drawer
        opened={drawerOpen}
        onClose={drawer.close}
        size={256}
        padding={0}
        title={<span className="visually-hidden">Menu</span>}
        classNames={{
          header: classes.drawerHeader,
          body: classes.drawerBody,
          content: classes.drawerContent,
        }}
      >
        <Sidebar note={note} onNavigate={drawer.close} />
      </Drawer>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </div>
  );
}

/** A new page begins where its content does, as after a real page load; screen readers say its heading. */
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

import { ActionIcon, Avatar, Group, Text } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { Brand } from '../../ui/layout/brand.tsx';
import { useLogout } from '../session/logout.ts';
import { useSignedIn } from '../session/use-session.ts';
import { ThemeSwitch } from '../theme/theme-switch.tsx';
import { keepForPage } from '../time-range/range-params.ts';
import { useViewParams } from '../url-state/search-params.ts';
import { findActiveSection, listEntries } from './navigation.ts';
import classes from './sidebar.module.css';

interface SidebarProps {
  readonly jump: ReactNode;
  readonly note: ReactNode;
  /** The pinned views, shown below the sidebar's entries. */
  readonly views: ComponentType<{ readonly onNavigate?: (() => void) | undefined }>;
  /** Closes the drawer, if the sidebar is in a drawer. */
  readonly onNavigate?: () => void;
}

/** The product's name, the navigation, and the signed-in user. */
export function Sidebar({ jump, note, views: Views, onNavigate }: SidebarProps) {
  const { organization } = useSignedIn();
  const view = useViewParams();
  const path = useLocation({ select: (location) => location.pathname });
  const active = findActiveSection(path);
  return (
    <div className={classes.root}>
      <div className={classes.brand}>
        <Brand />
      </div>
      {jump}
      <nav aria-label="Main" className={classes.entries}>
        {listEntries(organization).map(({ section, label, to, icon: Icon }) => (
          <Link
            key={section}
            to={to}
            search={keepForPage(to, view)}
            className={classes.entry}
            data-active={section === active}
            aria-current={section === active ? 'page' : undefined}
            onClick={onNavigate}
          >
            <Icon size={18} stroke={1.6} aria-hidden />
            {label}
          </Link>
        ))}
      </nav>
      <div className={classes.rest}>
        <Views onNavigate={onNavigate} />
      </div>
      {note}
      <Account />
    </div>
  );
}

function Account() {
  const { user } = useSignedIn();
  const logout = useLogout();
  const name = user.name.trim() === '' ? 'User' : user.name;
  const initial = [...name.trim()][0]?.toUpperCase();
  return (
    <div className={classes.account}>
      <Group gap="xs" wrap="nowrap" className={classes.who}>
        <Avatar size={32} radius="xl" color="indigo" aria-hidden>
          {initial}
        </Avatar>
        <div className={classes.names}>
          <Text size="sm" fw={600} truncate title={name}>
            {name}
          </Text>
          <Text size="xs" c="dimmed" truncate title={user.email}>
            {user.email}
          </Text>
        </div>
      </Group>
      <ThemeSwitch />
      <ActionIcon variant="subtle" color="gray" size={32} aria-label="Logout" title="Logout" onClick={logout}>
        <IconLogout size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

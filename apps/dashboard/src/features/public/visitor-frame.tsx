import { Group } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HOME } from '../../shell/session/return-path.ts';
import { useSession } from '../../shell/session/use-session.ts';
import { ThemeSwitch } from '../../shell/theme/theme-switch.tsx';
import { Brand } from '../../ui/layout/brand.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import classes from './visitor-frame.module.css';

/** The frame of pages for visitors: no sidebar, and one notice about masked values. */
export function VisitorFrame({ children }: { readonly children: ReactNode }) {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <div className={classes.page}>
      <header className={classes.header}>
        <Brand />
        <Group gap="xs" wrap="nowrap">
          <ThemeSwitch />
          {isSignedIn ? (
            <ButtonLink to={HOME}>Open the dashboard</ButtonLink>
          ) : (
            <ButtonLink to="/login" variant="default">
              Login
            </ButtonLink>
          )}
        </Group>
      </header>
      <main id="main" tabIndex={-1} className={classes.main}>
        <p className={classes.note}>
          <IconEyeOff size={16} aria-hidden />
          Public and read-only: functions, files, routes and times are shown; every value is masked.
        </p>
        {children}
      </main>
    </div>
  );
}

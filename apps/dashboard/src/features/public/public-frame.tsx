import { Group } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HOME } from '../../shell/session/return-path.ts';
import { useSession } from '../../shell/session/use-session.ts';
import { ThemeSwitch } from '../../shell/theme/theme-switch.tsx';
import { Brand } from '../../ui/layout/brand.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import classes from './public-frame.module.css';

interface PublicFrameProps {
  /** Notice about what the viewer can see and what is masked. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

const PUBLIC_NOTE = (
  <>
    <IconEyeOff size={16} aria-hidden />
    Public and read-only: functions, files, routes and times are shown; every value is masked.
  </>
);

/** Frame of pages for public viewers: no sidebar, and one notice about masked values. */
export function PublicFrame({ note = PUBLIC_NOTE, children }: PublicFrameProps) {
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
        {note !== null && <p className={classes.note}>{note}</p>}
        {children}
      </main>
    </div>
  );
}

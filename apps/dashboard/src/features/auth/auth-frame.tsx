import { Title } from '@mantine/core';
import { PRODUCT } from '@throughline/contract';
import type { ReactNode } from 'react';
import centered from '../../shell/frame/centered.module.css';
import { ThemeSwitch } from '../../shell/theme/theme-switch.tsx';
import { Brand } from '../../ui/layout/brand.tsx';
import classes from './auth-frame.module.css';

/** Page frame of the login and registration pages. */
export function AuthFrame({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <main className={centered.screen}>
      <title>{`${title} · ${PRODUCT.name}`}</title>
      <div className={centered.corner}>
        <ThemeSwitch />
      </div>
      <div className={centered.column}>
        <Brand />
        <div className={classes.card}>
          <Title order={1} size="h2" mb="md">
            {title}
          </Title>
          {children}
        </div>
      </div>
    </main>
  );
}

import { Loader, Stack } from '@mantine/core';
import { Brand } from '../../ui/layout/brand.tsx';
import classes from './centered.module.css';

/** Shown until it is known who is signed in. */
export function LoadingScreen() {
  return (
    <div className={classes.screen}>
      <Stack align="center" gap="lg" role="status">
        <Brand />
        <Loader size="sm" type="dots" />
        <span className="visually-hidden">Loading…</span>
      </Stack>
    </div>
  );
}

import type { ReactNode } from 'react';
import classes from '../errors.module.css';

export function Panel({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={classes.panel} aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

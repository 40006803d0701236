import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of names and values about a request, a response or a measurement. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, what: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, what]) => (
        <div key={name} className={classes.fact}>
          <dt>{name}</dt>
          <dd>{what ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

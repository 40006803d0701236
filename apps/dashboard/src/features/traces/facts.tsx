import type { ReactNode } from 'react';
import classes from './facts.module.css';

/** What a request, a response or a measurement is made of: names and what they are. */
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

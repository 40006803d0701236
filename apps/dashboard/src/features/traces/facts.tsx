import type { CapturedValue } from '@throughline/contract';
import type { ReactNode } from 'react';
import { ValueTree } from '../../visuals/values/value-tree.tsx';
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

interface ValueSectionProps {
  readonly title: string;
  /** Absent: not captured. */
  readonly value: CapturedValue | undefined;
  /** What the value is called in code, for "copy path". */
  readonly path: readonly string[];
}

/** A heading and a captured value below it. */
export function ValueSection({ title, value, path }: ValueSectionProps) {
  const absent = value === undefined || value === null;
  return (
    <section className={classes.section}>
      <h2>{title}</h2>
      {absent ? (
        <p className={classes.none}>Not captured</p>
      ) : (
        <ValueTree value={value} label={title} path={path} />
      )}
    </section>
  );
}

import type { Step } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { listObjectReferences } from '../../parts/object-references.ts';
import classes from '../step-details.module.css';

interface SeenBeforeProps {
  readonly step: Step;
  readonly flow: readonly Step[];
}

/** Lists the step's values that are the same object (not only equal) as a value of an earlier step. */
export function SeenBefore({ step, flow }: SeenBeforeProps) {
  const seen = listObjectReferences(step, flow);
  if (seen.length === 0) return null;
  return (
    <section className={classes.part}>
      <h3>Same objects</h3>
      <ul className={classes.calls}>
        {seen.map(({ name, step: there, nameThere }) => (
          <li key={name} className={classes.missing}>
            <span className="mono">{escapeControlCharacters(name)}</span> is the same object as{' '}
            <span className="mono">{escapeControlCharacters(nameThere)}</span> in{' '}
            <strong className="mono">{escapeControlCharacters(there.stepName)}</strong>
          </li>
        ))}
      </ul>
    </section>
  );
}

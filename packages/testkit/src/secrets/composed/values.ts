import type { CapturedValue } from '@throughline/contract/values';
import { createRandom, type Random } from '../random.ts';
import { composeName, composeSecret, composeText } from './texts.ts';

/** A captured value, and the secrets that were put into it. Redaction does not have to hide each of them. */
export interface ComposedValue {
  readonly value: CapturedValue;
  readonly secrets: ReadonlySet<string>;
}

const MAX_DEPTH = 3;
/**
 * The stream of random numbers that `composeValue` uses. Other generators use other streams, so that equal seeds give different choices.
 */
const STREAM = 77;

/**
 * Composes a value from all forms in which programs write secrets. The name, the neighbours and the form of a secret are chosen
 * independently and need not fit together, so that several rules apply to one value.
 */
export function composeValue(seed: number, item: number): ComposedValue {
  const random = createRandom(seed, item, STREAM);
  const secrets = new Set<string>();
  return { value: compose(random, 0, (secret) => secrets.add(secret)), secrets };
}

function compose(random: Random, depth: number, note: (secret: string) => void): CapturedValue {
  if (depth >= MAX_DEPTH || random.chance(0.45)) return composeLeaf(random, note);
  const inner = () => compose(random, depth + 1, note);
  const several = <T>(make: () => T) => Array.from({ length: 1 + random.int(4) }, make);
  return random.pick<() => CapturedValue>([
    () => Object.fromEntries(several(() => [composeName(random), inner()])),
    () => Object.fromEntries(several(() => [composeName(random), inner()])),
    () => several(inner),
    () => [composeName(random), inner()],
    () => several(() => [composeName(random), inner()]),
    () => ({ name: composeName(random), value: inner() }),
    () => ({ label: composeName(random), content: inner() }),
    () => ({ columns: ['id', composeName(random)], rows: [[1, inner()]] }),
    () => ({ sql: `UPDATE t SET ${composeName(random)} = ? WHERE id = ?`, params: [inner(), 7] }),
    () => ['mysql', '-u', 'root', `-p${composeSecret(random)}`, inner()],
    () => ({ $type: 'Map', size: 1, entries: [[composeName(random), inner()]] }),
    () => ({ $type: 'object', class: 'User', properties: { [composeName(random)]: inner() } }),
    () => ({ rawHeaders: ['Host', 'a', composeName(random), composeText(random, note)] }),
  ])();
}

function composeLeaf(random: Random, note: (secret: string) => void): CapturedValue {
  if (random.chance(0.5)) return composeText(random, note);
  if (random.chance(0.1)) return random.int(1_000_000);
  const secret = composeSecret(random);
  note(secret);
  return secret;
}

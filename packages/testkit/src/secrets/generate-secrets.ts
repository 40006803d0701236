import type { CapturedValue } from '@throughline/contract';
import { DERIVED_FORMS, UNTELLABLE_FORMS } from './forms/derived-forms.ts';
import { NAMED_TEXTS, PLAIN_NAMED_TEXTS } from './forms/named-texts.ts';
import { NAMED_VALUES, type NamedForm } from './forms/named-values.ts';
import { spellName, spellPlainName } from './forms/secret-names.ts';
import { SENTENCE_FORMS, type TextForm } from './forms/sentence-forms.ts';
import { SHAPE_FORMS } from './forms/shape-forms.ts';
import { SIBLING_VALUES } from './forms/sibling-values.ts';
import { SPOKEN_FORMS } from './forms/spoken-forms.ts';
import type { SecretItem } from './item.ts';
import { placesForText, VALUE_PLACES } from './places.ts';
import { createRandom, type Random, takeTurn } from './random.ts';

/** A generated secret without its id. */
type Made = Omit<SecretItem, 'id'>;
/**
 * Generates a secret in one form. `turn` grows by one with each secret in this form, and selects names, languages and fields in rotation.
 */
type Make = (random: Random, turn: number) => Made;

function single(
  kind: SecretItem['kind'],
  form: string,
  where: SecretItem['where'],
  value: CapturedValue,
  secret: string,
): Made {
  return { kind, form: `${kind}: ${form}`, where, secret, place: [{ where, value }] };
}

function fromNamed(form: string, make: NamedForm, spell: (random: Random) => string): Make {
  return (random) => {
    const { value, secret } = make(random, spell(random));
    const places = typeof value === 'string' ? placesForText(value.length) : VALUE_PLACES;
    return single('name', form, random.pick(places), value, secret);
  };
}

function fromText(kind: 'sentence' | 'shape', form: string, make: TextForm): Make {
  return (random) => {
    const { text, secret } = make(random);
    return single(kind, form, random.pick(placesForText(text.length)), text, secret);
  };
}

/** Functions that put a text with a secret into a longer text, such as a log line or a message. */
const AROUND: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => `rejected ${text}`,
  (text) => `"${text}"`,
  (text) => `key ${text}, next`,
  (text) => `(${text})`,
  (text) => `see ${text}.`,
];

function fromShape(form: string, make: (random: Random) => { text: string; secret?: string }): Make {
  return fromText('shape', form, (random) => {
    const { text, secret = text } = make(random);
    return { text: random.pick(AROUND)(text), secret };
  });
}

function fromDerived(form: string, make: (typeof DERIVED_FORMS)[string]): Make {
  return (random) => {
    const { secret, place } = make(random);
    const where = place.at(-1)?.where ?? 'step.outputs';
    return { kind: 'name', form: `name: ${form}`, where, secret, place };
  };
}

const BY_NAME: readonly Make[] = [
  ...Object.entries(NAMED_VALUES).map(([form, make]) => fromNamed(form, make, spellName)),
  ...Object.entries(NAMED_TEXTS).map(([form, make]) => fromNamed(form, make, spellName)),
  ...Object.entries(PLAIN_NAMED_TEXTS).map(([form, make]) => fromNamed(form, make, spellPlainName)),
  ...Object.entries(SIBLING_VALUES).map(([form, make]) => fromNamed(form, make, spellPlainName)),
  ...Object.entries(DERIVED_FORMS).map(([form, make]) => fromDerived(form, make)),
];

const BY_SENTENCE: readonly Make[] = [
  ...Object.entries(SENTENCE_FORMS).map(([form, make]) => fromText('sentence', form, make)),
  ...Object.entries(SPOKEN_FORMS).map(
    ([form, make]): Make =>
      (random, turn) =>
        fromText('sentence', form, make(turn))(random, turn),
  ),
];

const BY_SHAPE: readonly Make[] = Object.entries(SHAPE_FORMS).map(([form, make]) => fromShape(form, make));

/** Percentages of the secrets that are recognized by name and in a sentence. All other secrets are recognized by shape. */
const SHARE_BY_NAME = 55;
const SHARE_BY_SENTENCE = 27;
/** Distance between the positions of successive items on a scale of 100. Coprime to 100, so that every position occurs equally often. */
const STRIDE = 37;

function makesFor(index: number): readonly Make[] {
  const place = (index * STRIDE) % 100;
  if (place < SHARE_BY_NAME) return BY_NAME;
  return place < SHARE_BY_NAME + SHARE_BY_SENTENCE ? BY_SENTENCE : BY_SHAPE;
}

/**
 * Generates secrets in the proportions in which they occur in traces: 55 % recognized by name, 27 % in
 * sentences, 18 % by shape. The forms of a kind are equally frequent.
 */
export function generateSecrets(seed: number, count: number): SecretItem[] {
  const turns = new Map<readonly Make[], number>();
  return Array.from({ length: count }, (_item, index) => {
    const makes = makesFor(index);
    const turn = turns.get(makes) ?? seed;
    turns.set(makes, turn + 1);
    const random = createRandom(seed, index);
    return {
      id: `secret-${seed}-${index}`,
      ...takeTurn(makes, turn)(random, Math.floor(turn / makes.length)),
    };
  });
}

/** Generates strings that programs compute from a secret. They look like any other string in the trace, so they stay readable. */
export function generateUntellable(seed: number, count: number): SecretItem[] {
  const makes = Object.entries(UNTELLABLE_FORMS).map(([form, make]) => fromDerived(form, make));
  return Array.from({ length: count }, (_item, index) => ({
    id: `untellable-${seed}-${index}`,
    ...takeTurn(makes, index)(createRandom(seed, index), index),
  }));
}

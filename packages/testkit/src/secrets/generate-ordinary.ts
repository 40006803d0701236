import type { CapturedValue } from '@throughline/contract';
import type { OrdinaryItem, Placed } from './item.ts';
import { ORDINARY_AUTH, ORDINARY_COINCIDENCES } from './ordinary/auth.ts';
import { ORDINARY_NAMES } from './ordinary/names.ts';
import { ORDINARY_TABLES } from './ordinary/tables.ts';
import { ORDINARY_SENTENCES, ORDINARY_VALUES } from './ordinary/texts.ts';
import { placesForText, VALUE_PLACES, type Where } from './places.ts';
import { ALNUM, createRandom, type Random, takeTurn } from './random.ts';

/** A generated value without its id. */
type Made = Omit<OrdinaryItem, 'id'>;
type Make = (random: Random, turn: number) => Made;

/** Fields whose values the server interprets or stores in a changed form. */
const OTHERWISE_STORED: readonly Where[] = ['request.method', 'header name', 'request.path'];

function findPlaces(text: string): readonly Where[] {
  return placesForText(text.length).filter((where) => !OTHERWISE_STORED.includes(where));
}

function single(form: string, where: Where, value: CapturedValue, text: string): Made {
  return { form: `ordinary: ${form}`, where, text, place: [{ where, value }] };
}

type Held = readonly [CapturedValue, string];

/** Structures that contain a name and its value. Each structure comes with a text of the strings that must stay readable, one per line. */
const HOLDERS: readonly ((name: string, value: string | number | boolean) => Held)[] = [
  (name, value) => [{ [name]: value }, `${name}\n${value}`],
  (name, value) => [{ id: 7, [name]: value }, `${name}\n${value}`],
  (name, value) => [{ config: { limits: { [name]: value } } }, `${name}\n${value}`],
  (name, value) => [[{ id: 1 }, { [name]: value }], `${name}\n${value}`],
  (name, value) => [
    [
      ['id', 7],
      [name, value],
    ],
    `${name}\n${value}`,
  ],
  (name, value) => [{ $type: 'Map', size: 1, entries: [[name, value]] }, `${name}\n${value}`],
  (name, value) => [{ $type: 'object', class: 'Row', properties: { [name]: value } }, `${name}\n${value}`],
  (name, value) => [{ name, value }, `name\n${name}\nvalue\n${value}`],
  (name, value) => {
    const text = JSON.stringify({ id: 7, [name]: value });
    return [text, text];
  },
  (name, value) => {
    const text = `id=7&${name}=${encodeURIComponent(value)}&page=2`;
    return [text, text];
  },
];

const byName: Make = (random, turn) => {
  const [name, choose] = takeTurn(ORDINARY_NAMES, turn);
  const [value, text] = random.pick(HOLDERS)(name, choose(random));
  const places = typeof value === 'string' ? findPlaces(value) : VALUE_PLACES;
  return single(`name ${name}`, random.pick(places), value, text);
};

/** Names that imply nothing about their values. */
const NEUTRAL = [
  'id',
  'value',
  'ref',
  'note',
  'label',
  'data',
  'result',
  'version',
  'source',
  'x-request-id',
];

function fromText(form: string, make: (random: Random) => string, mayBeNamed: boolean): Make {
  return (random) => {
    const text = make(random);
    if (mayBeNamed && random.chance(0.5)) {
      const name = random.pick(NEUTRAL);
      return single(form, random.pick(VALUE_PLACES), { [name]: text }, `${name}\n${text}`);
    }
    return single(form, random.pick(findPlaces(text)), text, text);
  };
}

const BY_VALUE = Object.entries(ORDINARY_VALUES).map(([form, make]) => fromText(form, make, true));
const BY_SENTENCE = Object.entries(ORDINARY_SENTENCES).map(([form, make]) => fromText(form, make, false));

function fromPlaces(
  form: string,
  make: (random: Random) => { readonly place: readonly Placed[]; readonly text: string },
): Make {
  return (random) => {
    const { place, text } = make(random);
    return { form: `ordinary: ${form}`, where: place.at(-1)?.where ?? 'step.outputs', place, text };
  };
}

const BY_AUTH = Object.entries(ORDINARY_AUTH).map(([form, make]) => fromPlaces(form, make));
const BY_COINCIDENCE = Object.entries(ORDINARY_COINCIDENCES).map(([form, make]) => fromPlaces(form, make));

const BY_TABLE = Object.entries(ORDINARY_TABLES).map(([form, make]) => fromPlaces(form, make));

/** Map keys such as `item-a1b2c3`, which no redaction rule should match. */
const byKey: Make = (random) => {
  const name = `${random.pick(['item', 'user', 'row'])}-${random.chars(ALNUM, 6)}`;
  return single('key of a map', random.pick(VALUE_PLACES), { [name]: 1 }, `${name}\n1`);
};

/** Groups of generators, used in rotation. Names are the most frequent group, because most names in programs are ordinary. */
const GROUPS: readonly (readonly Make[])[] = [
  [byName],
  BY_VALUE,
  [byName],
  BY_SENTENCE,
  [byName],
  BY_AUTH,
  BY_VALUE,
  BY_SENTENCE,
  [byName, byName, byName, byKey],
  BY_COINCIDENCE,
  BY_TABLE,
];

/** The stream of random numbers for ordinary values. Secrets use another stream, so that equal seeds give different choices. */
const STREAM = 1;

/** Generates harmless values that look like secrets or have a secret's name. If redaction hid them, traces would be useless. */
export function generateOrdinaryValues(seed: number, count: number): OrdinaryItem[] {
  const turns = new Map<Make | readonly Make[], number>();
  const takeNext = (key: Make | readonly Make[]) => {
    const turn = turns.get(key) ?? seed;
    turns.set(key, turn + 1);
    return turn;
  };
  return Array.from({ length: count }, (_item, index) => {
    const group = takeTurn(GROUPS, index);
    const make = takeTurn(group, takeNext(group));
    return { id: `ordinary-${seed}-${index}`, ...make(createRandom(seed, index, STREAM), takeNext(make)) };
  });
}

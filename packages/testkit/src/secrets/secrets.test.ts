import { IngestBody, IngestTrace } from '@throughline/contract';
import { describe, expect, it } from 'vitest';
import { cardNumber, luhnSum } from './forms/shape-blocks.ts';
import {
  generateOrdinaryValues,
  generateSecrets,
  hostileTexts,
  type PlacedItem,
  placeInSpans,
  placeInTrace,
  placeInTraces,
  readableText,
  type SecretItem,
  showsOrdinary,
  showsSecret,
} from './index.ts';
import { createRandom } from './random.ts';

const COUNT = 4000;
const secrets = generateSecrets(1, COUNT);
const ordinary = generateOrdinaryValues(1, COUNT);

function isAccepted(item: PlacedItem): boolean {
  const body = IngestBody.parse(placeInTrace(item));
  return body.traces.every((trace) => IngestTrace.safeParse(trace).success);
}

function secretCalled(id: string): SecretItem {
  const found = secrets.find((item) => item.id === id);
  if (found === undefined) throw new Error(`no secret is called ${id}`);
  return found;
}

describe('generated secrets', () => {
  it('are the same for the same seed, and different for another seed', () => {
    expect(generateSecrets(1, COUNT)).toEqual(secrets);
    const others = generateSecrets(2, COUNT).map(({ secret }) => secret);
    const seen = new Set(secrets.map(({ secret }) => secret));
    expect(others.filter((secret) => seen.has(secret))).toEqual([]);
  });

  it('are all different', () => {
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(COUNT);
    expect(new Set(secrets.map(({ id }) => id)).size).toBe(COUNT);
  });

  it('are recognized by their names, in sentences and by their shape in the ratio 55 : 27 : 18', () => {
    const shares = ['name', 'sentence', 'shape'].map(
      (kind) => secrets.filter((item) => item.kind === kind).length / COUNT,
    );
    expect(shares).toEqual([0.55, 0.27, 0.18]);
  });

  it('are readable only in the traces that contain them', () => {
    const hidden = secrets.filter((item) => !showsSecret(readableText(placeInTrace(item)), item));
    expect(hidden.map(({ form }) => form)).toEqual([]);
    const harmless = readableText(placeInTraces(ordinary.slice(0, 300), 300));
    const elsewhere = secrets.filter((item) => showsSecret(harmless, item));
    expect(elsewhere.map(({ form, secret }) => [form, secret])).toEqual([]);
  });

  it('occur in every field of a trace', () => {
    expect(new Set(secrets.map(({ where }) => where)).size).toBe(43);
  });

  it('are in traces that the contract accepts', () => {
    expect(secrets.filter((item) => !isAccepted(item)).map(({ form, where }) => [form, where])).toEqual([]);
  });

  it('count as readable if half of a long secret or all of a short secret is readable', () => {
    const item = secrets.find(({ secret }) => secret.length >= 40);
    if (item === undefined) throw new Error('no secret is long');
    expect(showsSecret(`x${item.secret.slice(20)}`, item)).toBe(true);
    expect(showsSecret(item.secret.slice(0, -8), item)).toBe(true);
    expect(showsSecret(item.secret.slice(0, 8), item)).toBe(false);
    expect(showsSecret('hunter', { ...item, secret: 'hunter2' })).toBe(false);
  });
});

describe('generated ordinary values', () => {
  it('are the same for the same seed', () => {
    expect(generateOrdinaryValues(1, COUNT)).toEqual(ordinary);
  });

  it('are readable in the traces that contain them', () => {
    const hidden = ordinary.filter((item) => !showsOrdinary(readableText(placeInTrace(item)), item));
    expect(hidden.map(({ form, where, text }) => [form, where, text])).toEqual([]);
  });

  it('are in traces that the contract accepts', () => {
    expect(ordinary.filter((item) => !isAccepted(item)).map(({ form, where }) => [form, where])).toEqual([]);
  });

  it('are not card numbers if they consist of digits', () => {
    const digits = ordinary.filter(({ form }) => form.includes('digits of no card'));
    expect(digits.length).toBeGreaterThan(10);
    expect(digits.filter(({ text }) => luhnSum(text.replace(/\D/g, '')) % 10 === 0)).toEqual([]);
  });
});

it('generated card numbers have a valid check digit', () => {
  const random = createRandom(7);
  const cards = Array.from({ length: 500 }, () => cardNumber(random, '-').replaceAll('-', ''));
  expect(cards.filter((digits) => luhnSum(digits) % 10 !== 0)).toEqual([]);
});

it('bodies contain at most the requested number of traces, and no trace is lost', () => {
  const bodies = placeInTraces(secrets, 100);
  expect(bodies.flatMap(({ traces }) => traces)).toHaveLength(COUNT);
  expect(Math.max(...bodies.map(({ traces }) => traces.length))).toBe(100);
});

it('secrets in spans are readable in every field before redaction', () => {
  const { request, placed } = placeInSpans(secrets, 1_767_225_600_000_000_000n);
  const texts = request.resourceSpans.map(readableText);
  const hidden = placed.filter(({ item }, index) => !showsSecret(texts[index] ?? '', secretCalled(item.id)));
  expect(hidden.map(({ item, where }) => [item.form, where])).toEqual([]);
  expect(new Set(placed.map(({ where }) => where)).size).toBe(32);
  expect(placed).toHaveLength(COUNT);
});

it('hostile texts have the requested size, and different names', () => {
  for (const size of [1000, 64_000]) {
    const texts = hostileTexts(size);
    expect(texts.filter(({ text }) => text.length !== size).map(({ name }) => name)).toEqual([]);
    expect(new Set(texts.map(({ name }) => name)).size).toBe(texts.length);
  }
});

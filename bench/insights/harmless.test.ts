import { expect, test } from 'vitest';
import { DAY_MS, findRelease, makeProject, toLocalHour } from './habits.ts';
import { HARMLESS } from './harmless.ts';
import { DIFFERING } from './messages.ts';
import { forkRandom } from './random.ts';
import type { Request } from './request.ts';
import { generateRequests } from './requests.ts';

const UNTIL_MS = Date.parse('2026-03-05T17:20:00Z');
const project = makeProject(7, UNTIL_MS);
const usual = generateRequests(project);
const WEEK_MS = 7 * DAY_MS;
const isLive = ({ environment }: Request) => environment === 'production';

function live(name: string) {
  const change = HARMLESS[name]?.(project, forkRandom(project.seed, name));
  if (change === undefined) throw new Error(`no habit is called ${name}`);
  return { change, requests: generateRequests(project, change) };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const readOwnMs = (requests: readonly Request[]) =>
  median(requests.filter(({ endpoint }) => endpoint.path === '/search').map(({ ownMs }) => ownMs));

test('load tests change nothing in production; in staging, requests are slower, and more than a hundred are of a newer release', () => {
  const { requests } = live('loadTests');
  const withoutNumber = (all: readonly Request[]) =>
    all.filter(isLive).map(({ number: _number, ...request }) => request);
  expect(withoutNumber(requests)).toEqual(withoutNumber(usual));
  const staging = requests.filter((request) => !isLive(request));
  expect(readOwnMs(staging) / readOwnMs(requests.filter(isLive))).toBeGreaterThan(2.5);
  const newest = findRelease(project.production, UNTIL_MS).name;
  const onlyInStaging = staging.filter(({ release }) => release > newest);
  expect(onlyInStaging.length).toBeGreaterThan(100);
});

test('requests since the release at noon are slower than requests at night, but as fast as requests in the same hours a week earlier', () => {
  const { requests } = live('noonRelease');
  const newest = requests.filter(isLive).at(-1)?.release ?? '';
  const since = requests.filter((request) => isLive(request) && request.release === newest);
  const [first] = since;
  if (first === undefined) throw new Error('no request was sent to the newest release');
  expect(UNTIL_MS - first.atMs).toBeLessThan(DAY_MS / 2);
  const before = requests.filter((request) => isLive(request) && request.release !== newest);
  const atNight = before.filter(({ atMs }) => toLocalHour(project, atMs) % 24 < 6);
  const weekAgo = before.filter(({ atMs }) => atMs > first.atMs - WEEK_MS && atMs < UNTIL_MS - WEEK_MS);
  expect(readOwnMs(since) / readOwnMs(atNight)).toBeGreaterThan(1.5);
  expect(readOwnMs(since) / readOwnMs(weekAgo)).toBeGreaterThan(0.8);
  expect(readOwnMs(since) / readOwnMs(weekAgo)).toBeLessThan(1.25);
});

test('a known error occurs on every day, with other quoted words on each day', () => {
  const { requests } = live('newWordsDaily');
  const failed = requests.filter(({ failure }) => DIFFERING.some((text) => failure?.message.includes(text)));
  const ours = failed.filter(({ failure }) => !failure?.message.includes('has no address'));
  const daily = Map.groupBy(ours, ({ atMs }) => Math.floor((UNTIL_MS - atMs) / DAY_MS));
  expect(daily.size).toBe(14);
  const listWords = (some: readonly Request[] = []) =>
    DIFFERING.filter((text) => some.some(({ failure }) => failure?.message.includes(`"${text}"`)));
  const quoted = [...daily.values()].flatMap(listWords);
  expect(quoted.length).toBeGreaterThan(0);
  expect(new Set(quoted).size).toBe(quoted.length);
});

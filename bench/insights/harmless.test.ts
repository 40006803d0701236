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

test('load tests in staging change nothing in production, and are slower and more frequent than production in working hours', () => {
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

test('the requests of the release of the last noon are slower than those of the nights before, but not than the requests of the same hours a week ago', () => {
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

test('a known error occurs on every day, each day with other words', () => {
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

import { type Finding, type TraceLink, TraceListQuery } from '@throughline/contract';
import type { TraceStore } from '../../platform/trace-store/index.ts';
import { findErrors, type Scope } from '../analytics/index.ts';
import type { Reading } from '../rollups/index.ts';
import { areIndependent, type Candidate, findCandidates } from '../step-patterns/index.ts';
import { findListExtent, readListQuery } from '../traces/index.ts';
import { countRequests, durationAt } from './distributions.ts';
import {
  EXAMPLES,
  newErrorFinding,
  outlierFinding,
  outlierLink,
  repeatedFinding,
  repeatedLink,
  sequentialFinding,
  slowerFinding,
  slowerLink,
} from './findings.ts';
import { findOutliers, type Outlier } from './outliers.ts';
import { findRepeated, type Repeated } from './repeated.ts';
import { findSlower, type Slower, sinceWhen } from './slower.ts';
import { findCaptured, findSeenRequests } from './steps-store.ts';
import { findHours, findNewMessages, findSlowest, findTimes } from './store.ts';

const GROUPS = 2000;
/** An error is new where it was not seen in as many requests at least, and came more than once. */
const KNOWN_REQUESTS = 50;
const NEW_ERRORS = 3;
/** So many requests of a sequence are looked at with their values. */
const LOOKED_INTO = 20;

const SEVERITY = { high: 0, medium: 1, low: 2 } as const;

/** Looks for what is the matter in a scope, comparing with as long a time before. */
export async function searchFindings(
  store: TraceStore,
  scope: Scope,
): Promise<{ readonly findings: Finding[]; readonly requestCount: number }> {
  const { project, reading } = scope;
  const { from, until } = reading;
  const before: Reading = { ...reading, from: from - (until - from), until: from };
  const [times, newMessages, seen] = await Promise.all([
    findTimes(store, project, reading, before),
    findNewMessages(store, project, reading, before, NEW_ERRORS),
    findSeenRequests(store, project, reading),
  ]);
  const requests = (current: boolean) =>
    times.reduce((sum, one) => (one.current === current ? sum + countRequests(one.histogram) : sum), 0);
  const found = await Promise.all([
    ...findSlower(times).map((one) => slowerSince(store, scope, one)),
    ...findOutliers(times).map((one) => outlierNow(store, scope, one)),
    requests(false) < KNOWN_REQUESTS ? [] : newErrors(store, scope, newMessages),
    ...findRepeated(seen).map((one) => repeatedNow(store, scope, one)),
    ...findCandidates(seen).map((candidate) => sequentialNow(store, scope, candidate)),
  ]);
  return {
    findings: found
      .flat()
      .sort(
        (a, b) =>
          SEVERITY[a.severity] - SEVERITY[b.severity] ||
          b.requestCount - a.requestCount ||
          (a.id < b.id ? -1 : 1),
      ),
    requestCount: requests(true),
  };
}

/** Counts the traces of a link; undefined if none are left, since they may be deleted meanwhile. */
async function findExtent(store: TraceStore, { project }: Scope, link: TraceLink) {
  const shown = await findListExtent(store, [project], readListQuery(TraceListQuery.parse(link)));
  return shown.requests > 0 ? shown : undefined;
}

/** The finding, or none: with the hour since when, or since the release was first seen. */
async function slowerSince(store: TraceStore, scope: Scope, one: Slower): Promise<Finding[]> {
  const { project, reading } = scope;
  const { releases } = one;
  const since =
    releases?.first ?? sinceWhen(await findHours(store, project, reading, one, durationAt(one.before, 0.5)));
  if (since === undefined) return [];
  const link = slowerLink(scope, one, since);
  const shown = await findExtent(store, scope, link);
  if (shown === undefined) return [];
  const looked: Reading = { ...reading, from: since, ...(releases !== null && { release: releases.after }) };
  return [slowerFinding(one, link, shown, await findSlowest(store, project, looked, one, EXAMPLES))];
}

async function outlierNow(store: TraceStore, scope: Scope, one: Outlier): Promise<Finding[]> {
  const { project, reading } = scope;
  const link = outlierLink(scope, one);
  const shown = await findExtent(store, scope, link);
  if (shown === undefined) return [];
  return [outlierFinding(one, link, shown, await findSlowest(store, project, reading, one, EXAMPLES))];
}

async function newErrors(store: TraceStore, scope: Scope, messages: readonly string[]): Promise<Finding[]> {
  if (messages.length === 0) return [];
  const { groups } = await findErrors(store, scope.project, scope.reading, GROUPS);
  return groups
    .filter(({ message }) => messages.includes(message))
    .map((group) => newErrorFinding(scope, group));
}

async function repeatedNow(store: TraceStore, scope: Scope, one: Repeated): Promise<Finding[]> {
  const link = repeatedLink(scope, one);
  const shown = await findExtent(store, scope, link);
  return shown === undefined ? [] : [repeatedFinding(one, link, shown)];
}

async function sequentialNow(store: TraceStore, scope: Scope, candidate: Candidate): Promise<Finding[]> {
  return (await isIndependent(store, scope, candidate)) ? [sequentialFinding(scope, candidate)] : [];
}

/** True if no later step received a value of an earlier one, in every sampled request. */
async function isIndependent(store: TraceStore, { project }: Scope, { runs }: Candidate): Promise<boolean> {
  const some = runs.slice(0, LOOKED_INTO);
  return (await findCaptured(store, project, some)).every(areIndependent);
}

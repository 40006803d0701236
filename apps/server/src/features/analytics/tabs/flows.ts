import type { AnalyticsRange, FlowsAnalytics } from '@throughline/contract';
import { toMicros } from '../../../platform/clock.ts';
import type { CallerFigures, Reading, RequestFigures, StepFigures } from '../../rollups/index.ts';
import { type AnsweredHosts, writePlace } from '../answered-hosts-store.ts';
import { findFlowLengths } from '../flows-store.ts';
import type { Scope } from '../scope.ts';
import type { Sources } from '../sources.ts';
import { buildEndpointFigures, computeAverage, computeAverageMs, rate } from './stats.ts';

const MOST = { patterns: 500, dependencies: 1000 } as const;

export async function readFlows(
  { store, rollups, now, answeredHosts }: Sources,
  scope: Scope,
  range: AnalyticsRange,
): Promise<FlowsAnalytics> {
  const { project, reading, previous } = scope;
  const [{ patterns, dependencies }, sets, before, distribution, { callers, answered }] = await Promise.all([
    rollups.steps(project, reading, MOST),
    rollups.requestSets(project, reading, [[], ['service']]),
    previous && rollups.requests(project, previous, []),
    findFlowLengths(store, project, reading),
    findCalls({ rollups, answeredHosts }, scope),
  ]);
  const [[total] = [], services = []] = sets;
  const answeredBy = ({ service, type, dependency }: StepFigures) =>
    type === 'http' ? [...(answered.get(writePlace(service, dependency)) ?? [])].sort() : [];
  // Dependencies that are traced services are already on the map as services.
  const untraced = dependencies.filter((figures) => answeredBy(figures).length === 0);
  return {
    range,
    complexity: computeComplexity(total),
    previous: before === undefined ? null : computeComplexity(before[0]),
    distribution,
    patterns: patterns.map((figures) => {
      const { callCount, ...rest } = stepFigures(figures);
      return { stepName: figures.name, stepType: figures.type, executionCount: callCount, ...rest };
    }),
    dependencies: dependencies.map((figures) => ({
      name: figures.dependency,
      type: figures.type,
      service: figures.service,
      answeredBy: answeredBy(figures),
      ...stepFigures(figures),
    })),
    serviceMap: buildServiceMap(
      services,
      callers,
      untraced,
      countMinutes(reading, project.shownSince, now()),
    ),
  };
}

/** Finds which services called which, and the hosts at which the called services responded. */
async function findCalls(
  { rollups, answeredHosts }: Pick<Sources, 'rollups' | 'answeredHosts'>,
  scope: Scope,
): Promise<{ readonly callers: readonly CallerFigures[]; readonly answered: AnsweredHosts['services'] }> {
  const callers = await rollups.callers(scope.project, scope.reading);
  const answered = callers.length === 0 ? new Map() : (await answeredHosts(scope)).services;
  return { callers, answered };
}

function computeComplexity(figures: RequestFigures | undefined): FlowsAnalytics['complexity'] {
  const { requestCount, avgDuration, errorRate } = buildEndpointFigures(figures);
  return {
    avgFlowLength: computeAverage(figures?.steps_sum ?? 0, requestCount),
    maxFlowLength: figures?.steps_max ?? null,
    avgTotalDuration: avgDuration,
    errorRate,
  };
}

function stepFigures({ executions, errors, duration_micros_sum }: StepFigures) {
  return {
    callCount: executions,
    avgDuration: computeAverageMs(duration_micros_sum, executions),
    errorCount: errors,
    errorRate: rate(errors, executions),
  };
}

function buildServiceMap(
  services: readonly RequestFigures[],
  callers: readonly CallerFigures[],
  dependencies: readonly StepFigures[],
  minutes: number,
): FlowsAnalytics['serviceMap'] {
  const buildServiceId = (service: string) => `service:${service}`;
  const idOfDependency = ({ type, dependency }: StepFigures) => `${type}:${dependency}`;
  const figures = (count: number, errors: number, micros: number) => ({
    requestCount: count,
    requestsPerMinute: count / minutes,
    errorCount: errors,
    errorRate: rate(errors, count),
    avgDuration: computeAverageMs(micros, count),
  });
  const asked = [...Map.groupBy(dependencies, idOfDependency)];
  // A calling service can be missing from `services`, because its own requests can have begun before the range.
  const known = new Set(services.map(({ service = '' }) => service));
  const others = [...new Set(callers.map(({ source }) => source))].filter((source) => !known.has(source));
  const sum = (all: readonly StepFigures[], of: (one: StepFigures) => number) =>
    all.reduce((total, one) => total + of(one), 0);
  return {
    nodes: [
      ...services.map((service) => ({
        id: buildServiceId(service.service ?? ''),
        name: service.service ?? '',
        type: 'service',
        ...figures(service.requests, service.errors, service.duration_micros_sum),
        p95Duration: buildEndpointFigures(service).p95Duration,
      })),
      ...others.map((name) => ({
        id: buildServiceId(name),
        name,
        type: 'service',
        ...figures(0, 0, 0),
        p95Duration: null,
      })),
      ...asked.map(([id, all]) => ({
        id,
        name: all[0]?.dependency ?? '',
        type: all[0]?.type ?? '',
        ...figures(
          sum(all, (one) => one.executions),
          sum(all, (one) => one.errors),
          sum(all, (one) => one.duration_micros_sum),
        ),
        p95Duration: null,
      })),
    ],
    edges: [
      ...callers.map(({ source, target, requests, errors, micros }) => ({
        source: buildServiceId(source),
        target: buildServiceId(target),
        ...figures(requests, errors, micros),
      })),
      ...dependencies.map((one) => ({
        source: buildServiceId(one.service),
        target: idOfDependency(one),
        ...figures(one.executions, one.errors, one.duration_micros_sum),
      })),
    ],
  };
}

/** Returns how many minutes of a range have passed and are visible; at least one. */
function countMinutes({ from, until }: Reading, shownSince: bigint, now: Date): number {
  const nowMicros = toMicros(now.getTime());
  const end = until < nowMicros ? until : nowMicros;
  const start = from < shownSince ? shownSince : from;
  return Math.max(1, Number(end - start) / 60_000_000);
}

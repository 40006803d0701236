import { type FlowsAnalytics, formatAverage, formatCount, formatRate, StepType } from '@throughline/contract';
import { useMemo } from 'react';
import type { ViewChange } from '../../shell/url-state/search-params.ts';
import { type MapEdge, type MapNode, ServiceMap } from '../../visuals/plots/map/service-map.tsx';
import classes from './analytics.module.css';
import type { Scope } from './data/scope.ts';
import { buildCallerSearch, buildServiceSearch, formatService } from './data/service-names.ts';
import { buildOutcomeColumns, countColumn } from './tables/figure-columns.tsx';
import { RankTable } from './tables/rank-table.tsx';
import { StepKind } from './tables/step-kind.tsx';
import { buildScopeSearch } from './tables/trace-links.ts';
import { DrawnTracesLink, NamedTraces } from './tables/traces-link.tsx';

/** Error rate in percent from which a dependency is drawn as failing. */
const FAILING = 5;

interface DependenciesProps {
  readonly flows: FlowsAnalytics;
  readonly scope: Scope;
}

type Dependency = FlowsAnalytics['dependencies'][number];

/** The dependencies of the services, as a map and as a list. */
export function Dependencies({ flows, scope }: DependenciesProps) {
  const { nodes, edges } = useMemo(() => buildMap(flows.serviceMap), [flows.serviceMap]);
  const askedIn = ({ service, ...asked }: Dependency) =>
    buildScopeSearch(scope, { ...buildDependencySearch(asked), ...buildServiceSearch(service) });
  const nodesById = new Map(flows.serviceMap.nodes.map((node) => [node.id, node]));
  const findName = (id: string) => formatService(nodesById.get(id)?.name ?? id);
  const alongEdge = ({ source, target }: MapEdge) => {
    const [asking, asked] = [nodesById.get(source), nodesById.get(target)];
    if (asking === undefined || asked === undefined) return undefined;
    return asked.type === 'service'
      ? buildScopeSearch(scope, { ...buildServiceSearch(asked.name), ...buildCallerSearch(asking.name) })
      : buildScopeSearch(scope, { ...buildDependencySearch(asked), ...buildServiceSearch(asking.name) });
  };
  return (
    <>
      <div className={classes.wide}>
        <ServiceMap
          label="Service map"
          nodes={nodes}
          edges={edges}
          table={{
            columns: [
              { name: 'Service' },
              { name: 'Calls' },
              { name: 'Requests', write: formatCount },
              { name: 'Rate', unit: 'a minute', write: formatPerMinute },
              { name: 'Error rate', unit: '%', write: formatRate },
              { name: 'Avg', unit: 'ms', write: formatAverage },
              { name: 'P95', unit: 'ms', write: formatAverage },
            ],
            rows: [
              ...flows.serviceMap.nodes.map((node) => [
                formatService(node.name),
                null,
                ...listRates(node),
                node.p95Duration,
              ]),
              ...flows.serviceMap.edges.map((edge) => [
                findName(edge.source),
                findName(edge.target),
                ...listRates(edge),
                null,
              ]),
            ],
          }}
          empty="No services in this range"
          link={({ id }, drawn) => {
            const node = nodesById.get(id);
            return (
              <DrawnTracesLink
                search={
                  // A service that only calls other services handled no request in this range, so a link would open an empty list.
                  node === undefined || node.requestCount === 0
                    ? undefined
                    : buildScopeSearch(
                        scope,
                        node.type === 'service' ? buildServiceSearch(node.name) : buildDependencySearch(node),
                      )
                }
              >
                {drawn}
              </DrawnTracesLink>
            );
          }}
          edgeLink={(edge, drawn) => <DrawnTracesLink search={alongEdge(edge)}>{drawn}</DrawnTracesLink>}
        />
      </div>
      <div className={classes.wide}>
        <RankTable
          label="Service dependencies"
          rows={flows.dependencies}
          getKey={({ service, type, name }) => `${service} ${type} ${name}`}
          buildTraceLink={askedIn}
          empty="No outgoing calls"
          columns={[
            {
              name: 'Dependency',
              kind: 'text',
              value: ({ name }) => name,
              searched: ({ name, answeredBy }) => [name, ...answeredBy.map(formatService)].join('\n'),
              cell: (row) => (
                <>
                  <NamedTraces name={row.name} search={askedIn(row)} />
                  {row.answeredBy.length > 0 && (
                    <span className={classes.change}>
                      answered by {row.answeredBy.map(formatService).join(', ')}
                    </span>
                  )}
                </>
              ),
            },
            {
              name: 'Type',
              kind: 'text',
              value: ({ type }) => type,
              cell: ({ type }) => <StepKind type={StepType.safeParse(type).data} />,
            },
            {
              name: 'Called by',
              kind: 'text',
              value: ({ service }) => formatService(service),
              cell: ({ service }) => <span className="mono">{formatService(service)}</span>,
            },
            countColumn('Calls', 'callCount'),
            ...buildOutcomeColumns((row: Dependency) => ({ ...askedIn(row), stepStatus: 'error' })),
          ]}
        />
      </div>
    </>
  );
}

/** Lists the values of a row that both services and calls between services have: requests, rate, error rate and average duration. */
function listRates({
  requestCount,
  requestsPerMinute,
  errorRate,
  avgDuration,
}: FlowsAnalytics['serviceMap']['edges'][number] | FlowsAnalytics['serviceMap']['nodes'][number]) {
  return [requestCount, requestsPerMinute, errorRate, avgDuration];
}

/** Returns the URL parameters that make the trace list show the requests that called this dependency. */
function buildDependencySearch({ name, type }: { readonly name: string; readonly type: string }): ViewChange {
  return { dependency: name, stepType: StepType.safeParse(type).data };
}

function buildMap({ nodes, edges }: FlowsAnalytics['serviceMap']): {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
} {
  const most = edges.reduce((all, { requestsPerMinute }) => Math.max(all, requestsPerMinute), 0);
  return {
    nodes: nodes.map(({ id, name, type, requestsPerMinute, errorRate, avgDuration, p95Duration }) => ({
      id,
      name: formatService(name),
      kind: type,
      // A service's type is `service`, which is no step type. A service handles requests, so its card looks like a handler.
      type: StepType.safeParse(type).data ?? 'handler',
      facts: [
        `${formatFrequency(requestsPerMinute)} · ${formatRate(errorRate ?? 0)} errors`,
        [
          avgDuration === null ? undefined : `${formatAverage(avgDuration)} avg`,
          p95Duration === null ? undefined : `${formatAverage(p95Duration)} P95`,
        ]
          .filter((fact) => fact !== undefined)
          .join(' · '),
      ],
      failing: (errorRate ?? 0) >= FAILING,
    })),
    edges: edges.map(({ source, target, requestsPerMinute, errorRate, avgDuration }) => ({
      source,
      target,
      text: [
        formatFrequency(requestsPerMinute),
        ...(errorRate === null || errorRate === 0 ? [] : [formatRate(errorRate)]),
        ...(avgDuration === null ? [] : [formatAverage(avgDuration)]),
      ].join(' · '),
      failing: (errorRate ?? 0) >= FAILING,
      weight: most === 0 ? 0 : requestsPerMinute / most,
    })),
  };
}

const UNITS = [
  { name: 'min', minutes: 1 },
  { name: 'h', minutes: 60 },
  { name: 'day', minutes: 1440 },
] as const;

/**
 * Formats a rate per minute, hour or day, such as "12/min" or "3.4/h". Uses the shortest of these units in which the rate is at least one;
 * a rate below one per day is formatted per day.
 */
export function formatFrequency(perMinute: number): string {
  const { name, minutes } = UNITS.find((unit) => perMinute * unit.minutes >= 1) ?? UNITS[2];
  return `${formatPerMinute(perMinute * minutes)}/${name}`;
}

/** Formats a rate. A rate below 10 has up to two significant digits, so that a low rate is not shown as 0. */
function formatPerMinute(rate: number): string {
  return rate >= 10 ? formatCount(Math.round(rate)) : String(Number(rate.toPrecision(2)));
}

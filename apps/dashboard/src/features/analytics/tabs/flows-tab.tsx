import { type FlowsAnalytics, formatAverage, formatCount, formatRate, StepType } from '@throughline/contract';
import { BarsChart } from '../../../visuals/plots/bars/bars-chart.tsx';
import { SERIES_LOOKS } from '../../../visuals/plots/frame/plot-colours.ts';
import classes from '../analytics.module.css';
import { isCompared } from '../data/previous-period.ts';
import { useFlows } from '../data/queries.ts';
import type { Scope, TabProps } from '../data/scope.ts';
import { Dependencies } from '../dependencies.tsx';
import { buildOutcomeColumns, countColumn } from '../tables/figure-columns.tsx';
import { Figures } from '../tables/figures.tsx';
import { RankTable } from '../tables/rank-table.tsx';
import { StepKind } from '../tables/step-kind.tsx';
import { buildScopeSearch } from '../tables/trace-links.ts';
import { DrawnTracesLink, NamedTraces } from '../tables/traces-link.tsx';
import { TabBody } from './tab-body.tsx';

export function FlowsTab({ scope }: TabProps) {
  return (
    <TabBody
      what="Flow analysis"
      query={useFlows(scope)}
      tiles={4}
      panels={['half', 'half', 'wide']}
      isEmpty={({ distribution }) => Object.values(distribution).every((count) => count === 0)}
      empty={{
        title: 'No flow data in this range',
        hint: 'Step counts and durations appear here once there are traces in this range.',
      }}
    >
      {(flows) => (
        <>
          <div className={classes.wide}>
            <Complexity flows={flows} scope={scope} />
          </div>
          <Distribution distribution={flows.distribution} scope={scope} />
          <Patterns patterns={flows.patterns} scope={scope} />
          <Dependencies flows={flows} scope={scope} />
        </>
      )}
    </TabBody>
  );
}

function Complexity({ flows, scope }: { readonly flows: FlowsAnalytics; readonly scope: Scope }) {
  const { range, complexity, previous } = flows;
  const before = (name: keyof typeof complexity) =>
    isCompared(range) ? { previous: previous?.[name] ?? null } : {};
  const steps = (count: number) => {
    const written = Number(count.toFixed(1)).toLocaleString('en-US');
    return written === '1' ? '1 step' : `${written} steps`;
  };
  const search = buildScopeSearch(scope);
  return (
    <Figures
      figures={[
        {
          label: 'Avg flow length',
          value: complexity.avgFlowLength,
          write: steps,
          search,
          ...before('avgFlowLength'),
        },
        {
          label: 'Max flow length',
          value: complexity.maxFlowLength,
          write: steps,
          search: { ...search, minSteps: String(complexity.maxFlowLength ?? 0) },
          ...before('maxFlowLength'),
        },
        {
          label: 'Avg total duration',
          value: complexity.avgTotalDuration,
          write: formatAverage,
          badWhenMore: true,
          search,
          ...before('avgTotalDuration'),
        },
        {
          label: 'Error rate',
          value: complexity.errorRate,
          write: formatRate,
          badWhenMore: true,
          search: { ...search, status: 'error' },
          ...before('errorRate'),
        },
      ]}
    />
  );
}

const BUCKETS = [
  { key: 'none', label: 'No steps', search: { maxSteps: '0' } },
  { key: 'simple', label: 'Simple (1–2 steps)', search: { minSteps: '1', maxSteps: '2' } },
  { key: 'medium', label: 'Medium (3–4 steps)', search: { minSteps: '3', maxSteps: '4' } },
  { key: 'complex', label: 'Complex (5+ steps)', search: { minSteps: '5' } },
] as const;

interface DistributionProps extends Pick<FlowsAnalytics, 'distribution'> {
  readonly scope: Scope;
}

function Distribution({ distribution, scope }: DistributionProps) {
  const all = Object.values(distribution).reduce((sum, count) => sum + count, 0);
  const rows = BUCKETS.map(({ key, label }) => ({ key, label, value: distribution[key] }))
    // The entry for requests without steps is left out if its count is 0.
    .filter(({ key, value }) => key !== 'none' || value > 0);
  return (
    <BarsChart
      label="Flow complexity distribution"
      most={all}
      rows={rows.map((row) => ({
        ...row,
        text: `${formatCount(row.value)} · ${formatRate(all === 0 ? 0 : (row.value / all) * 100)}`,
        look: SERIES_LOOKS[0],
      }))}
      table={{
        columns: [{ name: 'Complexity' }, { name: 'Requests', write: formatCount }],
        rows: rows.map(({ label, value }) => [label, value]),
      }}
      link={({ key, value }, drawn) => (
        <DrawnTracesLink
          search={
            value === 0
              ? undefined
              : buildScopeSearch(scope, BUCKETS.find((bucket) => bucket.key === key)?.search)
          }
        >
          {drawn}
        </DrawnTracesLink>
      )}
    />
  );
}

interface PatternsProps extends Pick<FlowsAnalytics, 'patterns'> {
  readonly scope: Scope;
}

type Pattern = FlowsAnalytics['patterns'][number];

function Patterns({ patterns, scope }: PatternsProps) {
  const ranIn = ({ stepName, stepType }: Pattern) =>
    buildScopeSearch(scope, { stepName, stepType: StepType.safeParse(stepType).data });
  return (
    <RankTable
      label="Step patterns"
      rows={patterns}
      getKey={({ stepName, stepType }) => `${stepType} ${stepName}`}
      buildTraceLink={ranIn}
      empty="No steps in this range"
      columns={[
        {
          name: 'Step',
          kind: 'text',
          value: ({ stepName }) => stepName,
          cell: (row) => <NamedTraces name={row.stepName} search={ranIn(row)} />,
        },
        {
          name: 'Type',
          kind: 'text',
          value: ({ stepType }) => stepType,
          cell: ({ stepType }) => <StepKind type={StepType.safeParse(stepType).data} />,
        },
        countColumn('Executions', 'executionCount'),
        ...buildOutcomeColumns((row: Pattern) => ({ ...ranIn(row), stepStatus: 'error' })),
      ]}
    />
  );
}

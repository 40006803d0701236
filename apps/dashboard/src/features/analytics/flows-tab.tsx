import { type FlowsAnalytics, formatAverage, formatCount, formatRate, StepType } from '@throughline/contract';
import { DurationText } from '../../ui/badges.tsx';
import { BarsChart } from '../../visuals/plots/bars-chart.tsx';
import { SERIES_LOOKS } from '../../visuals/plots/plot-colours.ts';
import classes from './analytics.module.css';
import { Dependencies } from './dependencies.tsx';
import { Figures } from './figures.tsx';
import { useFlows } from './queries.ts';
import { RankTable } from './rank-table.tsx';
import type { Scope, TabProps } from './scope.ts';
import { StepKind } from './step-kind.tsx';
import { TabBody } from './tab-body.tsx';
import { scopeSearch } from './trace-links.ts';

export function FlowsTab({ scope }: TabProps) {
  return (
    <TabBody
      what="Flow analysis"
      query={useFlows(scope)}
      tiles={4}
      isEmpty={({ distribution }) => Object.values(distribution).every((count) => count === 0)}
      empty={{
        title: 'No flow data in this range',
        hint: 'What requests do, step by step, adds up here once requests of this project are traced.',
      }}
    >
      {(flows) => (
        <>
          <div className={classes.wide}>
            <Complexity flows={flows} scope={scope} />
          </div>
          <Distribution distribution={flows.distribution} />
          <Patterns patterns={flows.patterns} />
          <Dependencies flows={flows} scope={scope} />
        </>
      )}
    </TabBody>
  );
}

function Complexity({ flows, scope }: { readonly flows: FlowsAnalytics; readonly scope: Scope }) {
  const { complexity, previous } = flows;
  const before = (name: keyof typeof complexity) =>
    scope.compare ? { previous: previous?.[name] ?? null } : {};
  const steps = (count: number) => `${Number(count.toFixed(1)).toLocaleString('en-US')} steps`;
  const search = scopeSearch(scope);
  return (
    <Figures
      figures={[
        {
          label: 'Avg Flow Length',
          value: complexity.avgFlowLength,
          write: steps,
          search,
          ...before('avgFlowLength'),
        },
        {
          label: 'Max Flow Length',
          value: complexity.maxFlowLength,
          write: steps,
          search,
          ...before('maxFlowLength'),
        },
        {
          label: 'Avg Total Duration',
          value: complexity.avgTotalDuration,
          write: formatAverage,
          badWhenMore: true,
          search,
          ...before('avgTotalDuration'),
        },
        {
          label: 'Error Rate',
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
  { key: 'none', label: 'No steps' },
  { key: 'simple', label: 'Simple (1–2 steps)' },
  { key: 'medium', label: 'Medium (3–4 steps)' },
  { key: 'complex', label: 'Complex (5+ steps)' },
] as const;

function Distribution({ distribution }: Pick<FlowsAnalytics, 'distribution'>) {
  const all = Object.values(distribution).reduce((sum, count) => sum + count, 0);
  const rows = BUCKETS.map(({ key, label }) => ({ key, label, value: distribution[key] }))
    // Requests without steps are told of only where there are some.
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
    />
  );
}

function Patterns({ patterns }: Pick<FlowsAnalytics, 'patterns'>) {
  return (
    <RankTable
      label="Step Patterns"
      rows={patterns}
      keyOf={({ stepName, stepType }) => `${stepType} ${stepName}`}
      empty="No step ran in this range."
      columns={[
        { name: 'Step', cell: ({ stepName }) => <span className="mono">{stepName}</span> },
        { name: 'Type', cell: ({ stepType }) => <StepKind type={StepType.safeParse(stepType).data} /> },
        { name: 'Executions', figure: true, cell: ({ executionCount }) => formatCount(executionCount) },
        {
          name: 'Avg',
          figure: true,
          cell: ({ avgDuration }) => (avgDuration === null ? '–' : <DurationText ms={avgDuration} />),
        },
        { name: 'Errors', figure: true, cell: ({ errorCount }) => formatCount(errorCount) },
        {
          name: 'Error Rate',
          figure: true,
          cell: ({ errorRate }) => (errorRate === null ? '–' : formatRate(errorRate)),
        },
      ]}
    />
  );
}

import { Button, Stack, Tabs } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import type { Project } from '@throughline/contract';
import { type ReactNode, Suspense, useMemo } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { useChangeView, useViewParams } from '../../shell/search-params.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TilesSkeleton } from '../../ui/skeletons.tsx';
import { TabList } from '../../ui/tab-list.tsx';
import { PlotGroup } from '../../visuals/plots/plot-group.tsx';
import { formatSpan } from '../../visuals/plots/plot-times.ts';
import type { Span } from '../../visuals/plots/spans.ts';
import { ProjectSelect } from '../projects/project-select.tsx';
import { useSelectedProject } from '../projects/selected-project.ts';
import { WithoutProject } from '../projects/without-project.tsx';
import classes from './analytics.module.css';
import { AnalyticsBar } from './analytics-bar.tsx';
import { PanelsSkeleton } from './panels-skeleton.tsx';
import { faultOf } from './period.ts';
import { type Scope, useScope } from './scope.ts';
import { scopeSearch, timeSearch } from './trace-links.ts';
import { TracesLink } from './traces-link.tsx';

// Each is loaded when it is opened first.
const Overview = lazyPart(() => import('./overview-tab.tsx'), 'OverviewTab');
const Performance = lazyPart(() => import('./performance-tab.tsx'), 'PerformanceTab');
const Errors = lazyPart(() => import('./errors-tab.tsx'), 'ErrorsTab');
const Flows = lazyPart(() => import('./flows-tab.tsx'), 'FlowsTab');
const System = lazyPart(() => import('./system-tab.tsx'), 'SystemTab');
const Users = lazyPart(() => import('./users-tab.tsx'), 'UsersTab');
const Business = lazyPart(() => import('./business-tab.tsx'), 'BusinessTab');

const TABS = [
  { id: 'overview', label: 'Overview', Body: Overview },
  { id: 'performance', label: 'Performance', Body: Performance },
  { id: 'errors', label: 'Errors', Body: Errors },
  { id: 'flows', label: 'Flow Analysis', Body: Flows },
  { id: 'system', label: 'System Metrics', Body: System },
  { id: 'users', label: 'User Analytics', Body: Users },
  { id: 'business', label: 'Business Intelligence', Body: Business },
] as const;

/** What a project's requests add up to, looked at in seven ways. */
export function AnalyticsPage() {
  const { selected, projects } = useSelectedProject();
  return (
    <Stack gap="md">
      <PageHeader title="Analytics">
        <ProjectSelect />
      </PageHeader>
      {selected !== undefined ? (
        <ProjectAnalytics key={selected.id} project={selected} />
      ) : (
        <WithoutProject
          projects={projects}
          title="Please select a project to view analytics"
          hint="There is no project yet."
          waiting={<Waiting />}
        />
      )}
    </Stack>
  );
}

function ProjectAnalytics({ project }: { readonly project: Project }) {
  const scope = useScope(project);
  const { tab: wanted } = useViewParams();
  const change = useChangeView();
  const fault = faultOf(scope.period);
  const open = TABS.find(({ id }) => id === wanted) ?? TABS[0];
  return (
    <>
      <AnalyticsBar scope={scope} />
      <Tabs
        value={open.id}
        onChange={(value) => change({ tab: value === TABS[0].id ? undefined : (value ?? undefined) })}
        keepMounted={false}
      >
        <TabList label="Kinds of figures" open={open.id}>
          {TABS.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={open.id} pt="md">
          {fault !== undefined ? (
            <EmptyState title="There is no such range">{fault}</EmptyState>
          ) : (
            <Zoomed scope={scope}>
              <Suspense fallback={<Waiting />}>
                <open.Body scope={scope} project={project} />
              </Suspense>
            </Zoomed>
          )}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function Waiting() {
  return (
    <Stack gap="sm">
      <TilesSkeleton what="figures" />
      <PanelsSkeleton panels={['wide', 'half', 'half']} />
    </Stack>
  );
}

/** The stretch of time that the charts show, which the address keeps. */
function Zoomed({ scope, children }: { readonly scope: Scope; readonly children: ReactNode }) {
  const { from, to } = useViewParams();
  const change = useChangeView();
  const zoom = useMemo(
    (): Span | undefined =>
      from === undefined || to === undefined || from >= to
        ? undefined
        : { from: Date.parse(from), to: Date.parse(to) },
    [from, to],
  );
  // Always the same, so that charts are not drawn anew with the page.
  const onZoom = useCallbackRef((range: Span | undefined) =>
    change({
      from: range && new Date(range.from).toISOString(),
      to: range && new Date(range.to).toISOString(),
    }),
  );
  return (
    <PlotGroup zoom={zoom} onZoom={onZoom}>
      <Stack gap="sm">
        {zoom !== undefined && (
          <div className={classes.zoom}>
            <span>Charts show {formatSpan(zoom)}</span>
            <TracesLink search={scopeSearch(scope, timeSearch(zoom))}>Show its traces</TracesLink>
            <Button size="compact-xs" variant="default" onClick={() => onZoom(undefined)}>
              Whole range
            </Button>
          </div>
        )}
        {children}
      </Stack>
    </PlotGroup>
  );
}

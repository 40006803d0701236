import { Button, Skeleton, Stack, Tabs } from '@mantine/core';
import { useCallbackRef } from '@mantine/hooks';
import type { AnalyticsExtent, Project } from '@throughline/contract';
import { type ReactNode, Suspense } from 'react';
import { lazyPart } from '../../shell/load-page.ts';
import { useReleaseMarks } from '../../shell/time-range/release-marks.ts';
import type { TimeRange } from '../../shell/time-range/time-range.ts';
import { TimeRangeSelect } from '../../shell/time-range/time-range-select.tsx';
import { useChangeView, useViewParams } from '../../shell/url-state/search-params.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { TilesSkeleton } from '../../ui/feedback/skeletons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { TabList } from '../../ui/layout/tab-list.tsx';
import { PlotGroup } from '../../visuals/plots/frame/plot-group.tsx';
import { formatSpan } from '../../visuals/plots/frame/plot-times.ts';
import type { Span } from '../../visuals/plots/series/spans.ts';
import { ProjectSelect, useSelectedProject, WithoutProject } from '../projects/index.ts';
import classes from './analytics.module.css';
import { AnalyticsBar } from './analytics-bar.tsx';
import { namesRange } from './data/period.ts';
import { useExtent } from './data/queries.ts';
import { type Scope, useScope } from './data/scope.ts';
import { PanelsSkeleton } from './panels-skeleton.tsx';
import { buildScopeSearch } from './tables/trace-links.ts';
import { TracesLink } from './tables/traces-link.tsx';

// Each tab is loaded when it is first opened.
const Overview = lazyPart(() => import('./tabs/overview-tab.tsx'), 'OverviewTab');
const Performance = lazyPart(() => import('./tabs/performance-tab.tsx'), 'PerformanceTab');
const Errors = lazyPart(() => import('./tabs/errors-tab.tsx'), 'ErrorsTab');
const Flows = lazyPart(() => import('./tabs/flows-tab.tsx'), 'FlowsTab');
const System = lazyPart(() => import('./tabs/system-tab.tsx'), 'SystemTab');
const Users = lazyPart(() => import('./tabs/users-tab.tsx'), 'UsersTab');
const Business = lazyPart(() => import('./tabs/business-tab.tsx'), 'BusinessTab');

const TABS = [
  { id: 'overview', label: 'Overview', Body: Overview },
  { id: 'performance', label: 'Performance', Body: Performance },
  { id: 'errors', label: 'Errors', Body: Errors },
  { id: 'flows', label: 'Flow Analysis', Body: Flows },
  { id: 'system', label: 'System Metrics', Body: System },
  { id: 'users', label: 'User Analytics', Body: Users },
  { id: 'business', label: 'Business Intelligence', Body: Business },
] as const;

/** A project's analytics in seven tabs. */
export function AnalyticsPage() {
  const selection = useSelectedProject();
  const { selected, projects, isLookedFor } = selection;
  const isWaiting = projects.isPending || isLookedFor;
  return (
    <Stack gap="md">
      {selected !== undefined ? (
        <ProjectAnalytics key={selected.id} project={selected} />
      ) : (
        <>
          <Header>{isWaiting ? undefined : null}</Header>
          <WithoutProject
            selection={selection}
            title="Please select a project to view analytics"
            hint="No projects yet."
            waiting={<Waiting />}
          />
        </>
      )}
    </Stack>
  );
}

/**
 * The page's title, the drop-down list of time ranges (`children`) and the drop-down list of projects. While `children` is undefined, a
 * placeholder is shown instead; if `children` is null, nothing is shown.
 */
function Header({ children }: { readonly children?: ReactNode }) {
  return (
    <PageHeader title="Analytics">
      {children === undefined ? <Skeleton width={160} height={36} /> : children}
      <ProjectSelect />
    </PageHeader>
  );
}

/** Without a range in the URL, the page opens on the period for which the project has data. */
function ProjectAnalytics({ project }: { readonly project: Project }) {
  const extent = useExtent(project.id, !namesRange(useViewParams()));
  // If the times of the first and last trace cannot be loaded, the page shows the default range. The request for the stats of that range
  // then reports the error.
  if (!extent.isLoading) return <AnalyticsOfRange project={project} extent={extent.data ?? null} />;
  return (
    <>
      <Header />
      <Waiting />
    </>
  );
}

interface AnalyticsOfRangeProps {
  readonly project: Project;
  readonly extent: AnalyticsExtent;
}

function AnalyticsOfRange({ project, extent }: AnalyticsOfRangeProps) {
  const scope = useScope(project, extent);
  const { tab: wanted } = useViewParams();
  const change = useChangeView();
  const { fault } = scope;
  const open = TABS.find(({ id }) => id === wanted) ?? TABS[0];
  return (
    <>
      <Header>
        <TimeRangeSelect range={findShownRange(scope)} projectId={project.id} />
      </Header>
      <AnalyticsBar scope={scope} />
      <Tabs
        value={open.id}
        onChange={(value) => change({ tab: value === TABS[0].id ? undefined : (value ?? undefined) })}
        keepMounted={false}
      >
        <TabList label="Analytics pages" open={open.id}>
          {TABS.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={open.id} pt="md">
          {fault !== undefined ? (
            <EmptyState title="Unknown range">{fault}</EmptyState>
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

/** Returns the time range of all stats on the page: the zoom or, without a zoom, the whole range. */
function findShownRange({ zoom, range }: Scope): TimeRange {
  return zoom === undefined ? range : { kind: 'instants', ...writeSpan(zoom) };
}

function writeSpan({ from, to }: Span) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function Waiting() {
  return (
    <Stack gap="sm">
      <TilesSkeleton what="stats" />
      <PanelsSkeleton panels={['wide', 'half', 'half']} />
    </Stack>
  );
}

/** A range that the user selects in a chart becomes the page's zoom, which is stored in the URL. */
function Zoomed({ scope, children }: { readonly scope: Scope; readonly children: ReactNode }) {
  const change = useChangeView();
  const { zoom, project } = scope;
  const marks = useReleaseMarks(project);
  // Uses a stable callback, so that charts are not rendered again with the page.
  const onZoom = useCallbackRef((range: Span | undefined) =>
    change(range === undefined ? { from: undefined, to: undefined } : writeSpan(range)),
  );
  return (
    <PlotGroup zoom={zoom} onZoom={onZoom} marks={marks}>
      <Stack gap="sm">
        {zoom !== undefined && (
          <div className={classes.zoom}>
            <span>Showing {formatSpan(zoom)}</span>
            <TracesLink search={buildScopeSearch(scope)}>Show traces in this range</TracesLink>
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

import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useChangeView, useViewParams, type ViewParams } from '../../shell/search-params.ts';
import { FlameGraph } from '../../visuals/flame/flame-graph.tsx';
import { StepTree } from '../../visuals/steps/step-tree.tsx';
import { Waterfall } from '../../visuals/waterfall/waterfall.tsx';
import { DroppedNotice, FailureLine } from './failure-line.tsx';
import type { LoadedTrace } from './queries.ts';
import { SelectedDetails } from './selected-details.tsx';
import { SplitPane } from './split-pane.tsx';
import { stepKeys } from './step-keys.ts';
import classes from './trace-dialog.module.css';
import { PerformanceFacts, RequestFacts, ResponseFacts } from './trace-facts.tsx';
import { type Selection, useSelection } from './use-selection.ts';

const TABS = {
  steps: 'Steps',
  waterfall: 'Waterfall',
  flame: 'Flame graph',
  request: 'Request',
  response: 'Response',
  performance: 'Performance',
} as const satisfies Partial<Record<NonNullable<ViewParams['view']>, string>>;
type Tab = keyof typeof TABS;

function isTab(view: string | null | undefined): view is Tab {
  return typeof view === 'string' && Object.hasOwn(TABS, view);
}

/** A trace in words and values. */
export function DetailsView({ loaded }: { readonly loaded: LoadedTrace }) {
  const { view } = useViewParams();
  const change = useChangeView();
  const { trace } = loaded;
  const selection = useSelection(trace);
  // The tree takes the focus with the trace, not each time that its tab is chosen.
  const fresh = useRef(true);
  useEffect(() => {
    fresh.current = false;
  }, []);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of what is inside, wherever the focus lies
    <div className={classes.view} onKeyDown={stepKeys(selection)}>
      <FailureLine trace={trace} selection={selection} />
      <DroppedNotice trace={trace} />
      <Tabs
        value={isTab(view) ? view : 'steps'}
        onChange={(tab) => {
          if (isTab(tab)) change({ view: tab }, { replace: true });
        }}
        keepMounted={false}
        className={classes.tabs ?? ''}
      >
        <Tabs.List aria-label="Parts of the trace">
          {Object.entries(TABS).map(([tab, name]) => (
            <Tabs.Tab key={tab} value={tab}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="steps" className={classes.panel ?? ''}>
          <Steps loaded={loaded} selection={selection} focusAtFirst={fresh.current} />
        </Tabs.Panel>
        <Tabs.Panel value="waterfall" className={classes.panel ?? ''}>
          <WaterfallTab loaded={loaded} selection={selection} focusAtFirst={fresh.current} />
        </Tabs.Panel>
        <Tabs.Panel value="flame" className={classes.panel ?? ''}>
          <FlameTab loaded={loaded} selection={selection} />
        </Tabs.Panel>
        <Tabs.Panel value="request" className={classes.panel ?? ''}>
          <RequestFacts trace={trace} />
        </Tabs.Panel>
        <Tabs.Panel value="response" className={classes.panel ?? ''}>
          <ResponseFacts trace={trace} />
        </Tabs.Panel>
        <Tabs.Panel value="performance" className={classes.panel ?? ''}>
          <PerformanceFacts trace={trace} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

interface StepsProps {
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly focusAtFirst: boolean;
}

function Steps({ loaded, selection, focusAtFirst }: StepsProps) {
  return (
    <BesideDetails name="steps" loaded={loaded} selection={selection}>
      <StepTree
        forest={selection.forest}
        totalMs={loaded.trace.timing.duration}
        selected={selection.key}
        onSelect={selection.select}
        focusAtFirst={focusAtFirst}
      />
    </BesideDetails>
  );
}

function WaterfallTab({ loaded, selection, focusAtFirst }: StepsProps) {
  return (
    <BesideDetails name="waterfall" loaded={loaded} selection={selection}>
      <Waterfall
        forest={selection.forest}
        durationMs={loaded.trace.timing.duration}
        selected={selection.key}
        onSelect={selection.select}
        focusAtFirst={focusAtFirst}
      />
    </BesideDetails>
  );
}

function FlameTab({ loaded, selection }: Omit<StepsProps, 'focusAtFirst'>) {
  const { request, timing } = loaded.trace;
  return (
    <BesideDetails name="flame" loaded={loaded} selection={selection}>
      <FlameGraph
        forest={selection.forest}
        requestName={`${request.method} ${request.path}`}
        durationMs={timing.duration}
        selected={selection.key}
        onSelect={selection.select}
      />
    </BesideDetails>
  );
}

interface BesideDetailsProps {
  /** Under which name the splitter's place is remembered. */
  readonly name: string;
  readonly loaded: LoadedTrace;
  readonly selection: Selection;
  readonly children: ReactNode;
}

/** A view of the steps, with the selected one's values beside it. */
function BesideDetails({ name, loaded, selection, children }: BesideDetailsProps) {
  if (selection.forest.all.length === 0) {
    return <p className={classes.nothing}>No steps were recorded for this request.</p>;
  }
  return (
    <SplitPane
      name={name}
      left={children}
      right={<SelectedDetails loaded={loaded} selection={selection} />}
    />
  );
}

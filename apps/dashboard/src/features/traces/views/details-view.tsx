import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useChangeView, useViewParams, type ViewParams } from '../../../shell/url-state/search-params.ts';
import { TabList } from '../../../ui/layout/tab-list.tsx';
import { ComparisonView } from '../comparison/comparison-view.tsx';
import { isComparison, type LoadedTrace } from '../data/queries.ts';
import { useHasSession } from '../data/trace-calls.ts';
import { useSelection } from '../data/use-selection.ts';
import { FailureLine } from '../failure/failure-line.tsx';
import { stepKeys } from '../filter/step-keys.ts';
import { DroppedNotice } from '../page/dropped-notice.tsx';
import classes from '../page/trace-dialog.module.css';
import { PerformanceFacts, RequestFacts, ResponseFacts } from '../page/trace-facts.tsx';
import { StandsOutStrip } from '../stands-out/stands-out-strip.tsx';
import { FilesTab, FlameTab, SequenceTab, TimelineTab } from '../step/step-tabs.tsx';

const TABS = {
  timeline: 'Timeline',
  flame: 'Flame graph',
  sequence: 'Sequence',
  files: 'Source',
  request: 'Request',
  response: 'Response',
  performance: 'Performance',
} as const satisfies Partial<Record<NonNullable<ViewParams['view']>, string>>;
type Tab = keyof typeof TABS;

function isTab(view: string | null | undefined): view is Tab {
  return typeof view === 'string' && Object.hasOwn(TABS, view);
}

/** A trace as text and values. */
export function DetailsView({ loaded }: { readonly loaded: LoadedTrace }) {
  const { view, compare } = useViewParams();
  const isSignedIn = useHasSession();
  const isComparing = isSignedIn && isComparison(compare);
  const change = useChangeView();
  const { trace } = loaded;
  const selection = useSelection(loaded);
  const findBox = useRef<HTMLInputElement>(null);
  // The tree takes the focus when the trace opens, not each time its tab is selected.
  const fresh = useRef(true);
  useEffect(() => {
    fresh.current = false;
  }, []);
  const props = { loaded, selection, findBox, focusAtFirst: fresh.current };
  const panels: Readonly<Record<Tab, () => ReactNode>> = {
    timeline: () => <TimelineTab {...props} />,
    flame: () => <FlameTab {...props} />,
    sequence: () => <SequenceTab {...props} />,
    files: () => <FilesTab {...props} />,
    request: () => <RequestFacts trace={trace} selection={selection} />,
    response: () => <ResponseFacts trace={trace} selection={selection} />,
    performance: () => <PerformanceFacts trace={trace} />,
  };
  const shown = isTab(view) ? view : 'timeline';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles keys for any focused element inside
    <div className={classes.view} onKeyDown={stepKeys(selection, () => findBox.current?.focus())}>
      <FailureLine loaded={loaded} selection={selection} />
      {!isComparing && <StandsOutStrip loaded={loaded} selection={selection} />}
      <DroppedNotice trace={trace} />
      {isComparing ? (
        <ComparisonView loaded={loaded} other={compare} />
      ) : (
        <Tabs
          value={shown}
          onChange={(tab) => {
            if (isTab(tab)) change({ view: tab }, { replace: true });
          }}
          keepMounted={false}
          className={classes.tabs ?? ''}
        >
          <TabList label="Parts of the trace" open={shown}>
            {Object.entries(TABS).map(([tab, name]) => (
              <Tabs.Tab key={tab} value={tab}>
                {name}
              </Tabs.Tab>
            ))}
          </TabList>
          <Tabs.Panel key={shown} value={shown} className={classes.panel ?? ''}>
            {panels[shown]()}
          </Tabs.Panel>
        </Tabs>
      )}
    </div>
  );
}

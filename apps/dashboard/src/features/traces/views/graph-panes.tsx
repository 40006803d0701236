import { ActionIcon, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SplitPane } from '../page/split-pane.tsx';
import classes from './graph-panes.module.css';

/** A graph needs more space than the values next to it. Percent. */
const GRAPH_SHARE = 66;

interface GraphPanesProps {
  readonly graph: ReactNode;
  readonly details: ReactNode;
}

/** A graph, and next to it the details of the selected step unless the user closed them. */
export function GraphPanes({ graph, details }: GraphPanesProps) {
  const { isClosed } = useDetailsClosed();
  return (
    <SplitPane name="graph" atFirst={GRAPH_SHARE} left={graph} right={details} isRightClosed={isClosed} />
  );
}

/** Closes the details next to a graph, so that the graph has the whole width, and opens them again. */
export function DetailsToggle() {
  const { isClosed, toggle } = useDetailsClosed();
  const Icon = isClosed ? IconLayoutSidebarRightExpand : IconLayoutSidebarRightCollapse;
  const label = isClosed ? 'Show step details' : 'Hide step details';
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="default"
        size="md"
        className={classes.toggle ?? ''}
        aria-label={label}
        onClick={toggle}
      >
        <Icon size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** This browser stores whether the details are closed, like the divider's position. */
function useDetailsClosed() {
  const [stored, store] = useLocalStorage<unknown>({
    key: 'graph_details_closed',
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const isClosed = stored === true;
  return { isClosed, toggle: () => store(!isClosed) };
}

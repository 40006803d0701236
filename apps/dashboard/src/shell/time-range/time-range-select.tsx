import { Button } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { type Dispatch, type SetStateAction, Suspense, useEffect, useRef, useState } from 'react';
import { lazyPart } from '../load-page.ts';
import { useChangeView } from '../url-state/search-params.ts';
import { formatTimeRange } from './range-label.ts';
import { writeTimeRange } from './range-params.ts';
import classes from './time-range.module.css';
import type { TimeRange } from './time-range.ts';
import { useReleases } from './use-releases.ts';

// Loaded lazily, since the first screen shows only the button.
const TimeRangePanel = lazyPart(() => import('./time-range-panel.tsx'), 'TimeRangePanel');

interface TimeRangeSelectProps {
  /** The page's range; undefined means all time. */
  readonly range: TimeRange | undefined;
  /** The project whose releases are offered; undefined for a page of all projects. */
  readonly projectId: string | undefined;
  /** True if the page can show all stored traces. */
  readonly offersAllTime?: boolean;
  /**
   * Set if the page replaces this control by another control when data arrives. Both controls share the open state, so that a panel opened
   * in the first stays open in the second.
   */
  readonly opening?: Opening;
}

/** The result of `useState(false)` for the open state of the control. */
export type Opening = readonly [opened: boolean, setOpened: Dispatch<SetStateAction<boolean>>];

/** Shows a page's time range. A click opens a panel to choose another range, which is stored in the URL. */
export function TimeRangeSelect({ range, projectId, offersAllTime = false, opening }: TimeRangeSelectProps) {
  const ownOpening = useState(false);
  const [opened, setOpened] = opening ?? ownOpening;
  const change = useChangeView();
  const isOpenRange = range?.kind === 'instants' && range.to === undefined;
  const releases = useReleases(projectId, opened || isOpenRange);
  const name = escapeControlCharacters(formatTimeRange(range, releases));
  const ref = useFocusAfterClosing(opened);
  const button = (
    <Button
      ref={ref}
      aria-label={`Time: ${name}`}
      variant="default"
      className={classes.button ?? ''}
      px={10}
      fw={400}
      maw="100%"
      aria-haspopup="dialog"
      aria-expanded={opened}
      rightSection={<IconChevronDown size={16} aria-hidden />}
      onClick={() => setOpened((before) => !before)}
    >
      <span className={classes.name}>Time</span>
      <span className={classes.chosen}>{name}</span>
    </Button>
  );
  if (!opened) return button;
  return (
    <Suspense fallback={button}>
      <TimeRangePanel
        range={range}
        releases={releases}
        offersAllTime={offersAllTime}
        onChoose={(chosen) => {
          setOpened(false);
          change(writeTimeRange(chosen));
        }}
        onClose={() => setOpened(false)}
      >
        {button}
      </TimeRangePanel>
    </Suspense>
  );
}

/** Moves the focus to the button when the panel below the button closes, unless the user has moved the focus elsewhere. */
function useFocusAfterClosing(opened: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  const wasOpened = useRef(opened);
  useEffect(() => {
    const hasNoFocus = document.activeElement === null || document.activeElement === document.body;
    if (wasOpened.current && !opened && hasNoFocus) ref.current?.focus({ preventScroll: true });
    wasOpened.current = opened;
  }, [opened]);
  return ref;
}

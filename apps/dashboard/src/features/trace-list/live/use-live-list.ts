import type { TraceRow } from '@throughline/contract';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLiveFeed } from '../../../shell/live/use-live-feed.ts';
import { type ListFilters, useListCache } from '../queries.ts';
import { countFresh, withLiveRows } from '../trace-pages.ts';

/** Rows are put in together, so that a busy service does not draw the list hundreds of times a second. Milliseconds. */
const GATHER_MS = 250;
/** The figures above the list are asked for again at most so often. Milliseconds. */
const FIGURES_EVERY_MS = 1_000;
/** With more rows waiting or listed than this, fetching the newest page is cheaper than keeping them all. */
const MAX_ROWS = 2_000;

export interface LiveListOptions {
  /** The viewer reads what is listed: nothing may move. New rows wait to be asked for. */
  readonly reading: boolean;
  /** No feed at all; what was missed is fetched when it goes on. */
  readonly paused: boolean;
}

/** Keeps a list in the cache current by the live feed. Rows that wait are counted, and put in by `putIn` or when reading ends. */
export function useLiveList(filters: ListFilters, { reading, paused }: LiveListOptions) {
  const cache = useListCache(filters);
  const waiting = useRef<TraceRow[]>([]);
  const [waitingCount, setWaitingCount] = useState(0);
  const rowsTimer = useTimer();
  const figuresTimer = useTimer();

  const putIn = () => {
    const rows = waiting.current;
    waiting.current = [];
    setWaitingCount(0);
    const listed = cache.read()?.pages[0]?.traces.length ?? 0;
    if (rows.length + listed > MAX_ROWS) cache.fetchAgain();
    else if (rows.length > 0) cache.change((pages) => withLiveRows(pages, rows));
  };
  const fetchAll = () => {
    cache.fetchAgain();
    cache.refreshFigures();
  };
  const settle = useEffectEvent(() => {
    if (reading) setWaitingCount(countFresh(cache.read(), waiting.current));
    else putIn();
  });
  const refreshFigures = useEffectEvent(() => cache.refreshFigures());

  const state = useLiveFeed(filters, {
    paused,
    onTrace: (row) => {
      if (waiting.current.length <= MAX_ROWS) waiting.current.push(row);
      startOnce(rowsTimer, GATHER_MS, () => settle());
      startOnce(figuresTimer, FIGURES_EVERY_MS, () => refreshFigures());
    },
    onGap: fetchAll,
  });

  useEffect(() => {
    if (!reading) settle();
  }, [reading]);

  // Rows of another list are none of this one's.
  const list = JSON.stringify(filters);
  const listBefore = useRef(list);
  useEffect(() => {
    if (listBefore.current === list) return;
    listBefore.current = list;
    waiting.current = [];
    setWaitingCount(0);
  }, [list]);

  const wasPaused = useRef(paused);
  const catchUp = useEffectEvent(fetchAll);
  useEffect(() => {
    if (wasPaused.current && !paused) catchUp();
    wasPaused.current = paused;
  }, [paused]);

  return { state, waitingCount, putIn };
}

type Timer = RefObject<ReturnType<typeof setTimeout> | undefined>;

function useTimer(): Timer {
  const timer: Timer = useRef(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return timer;
}

/** Does it once after the wait, however often it is asked for meanwhile. */
function startOnce(timer: Timer, ms: number, act: () => void): void {
  timer.current ??= setTimeout(() => {
    timer.current = undefined;
    act();
  }, ms);
}

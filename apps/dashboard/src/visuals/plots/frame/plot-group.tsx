import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import type { TimeMark } from '../../charts/time-marks.ts';
import type { Span } from '../series/spans.ts';

/** The instant under the pointer, shared by all charts of the same time range. Epoch milliseconds. */
class Crosshair {
  at: number | undefined;
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly point = (at: number | undefined): void => {
    if (at === this.at) return;
    this.at = at;
    for (const listener of this.#listeners) listener();
  };
}

interface Group {
  readonly crosshair: Crosshair;
  /** The range that all charts show; undefined if they show all their data. */
  readonly zoom: Span | undefined;
  readonly onZoom: (zoom: Span | undefined) => void;
  /** Moments that all charts mark. */
  readonly marks: readonly TimeMark[];
}

const NO_MARKS: readonly TimeMark[] = [];

const GroupContext = createContext<Group>({
  crosshair: new Crosshair(),
  zoom: undefined,
  onZoom: () => undefined,
  marks: NO_MARKS,
});

interface PlotGroupProps {
  readonly zoom: Span | undefined;
  readonly onZoom: (zoom: Span | undefined) => void;
  readonly marks: readonly TimeMark[];
  readonly children: ReactNode;
}

/** Charts of the same time range, which share a crosshair and a zoom. */
export function PlotGroup({ zoom, onZoom, marks, children }: PlotGroupProps) {
  const [crosshair] = useState(() => new Crosshair());
  const group = useMemo(() => ({ crosshair, zoom, onZoom, marks }), [crosshair, zoom, onZoom, marks]);
  return <GroupContext value={group}>{children}</GroupContext>;
}

/** Returns the group's zoom, crosshair and marks. */
export function usePlotGroup() {
  const { crosshair, zoom, onZoom, marks } = useContext(GroupContext);
  const at = useSyncExternalStore(crosshair.subscribe, () => crosshair.at);
  return { at, point: crosshair.point, zoom, onZoom, marks };
}

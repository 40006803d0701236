import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react';
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
}

const GroupContext = createContext<Group>({
  crosshair: new Crosshair(),
  zoom: undefined,
  onZoom: () => undefined,
});

interface PlotGroupProps {
  readonly zoom: Span | undefined;
  readonly onZoom: (zoom: Span | undefined) => void;
  readonly children: ReactNode;
}

/** Charts of the same time range, which share a crosshair and a zoom. */
export function PlotGroup({ zoom, onZoom, children }: PlotGroupProps) {
  const [crosshair] = useState(() => new Crosshair());
  const group = useMemo(() => ({ crosshair, zoom, onZoom }), [crosshair, zoom, onZoom]);
  return <GroupContext value={group}>{children}</GroupContext>;
}

/** Returns the group's zoom and crosshair. */
export function usePlotGroup() {
  const { crosshair, zoom, onZoom } = useContext(GroupContext);
  const at = useSyncExternalStore(crosshair.subscribe, () => crosshair.at);
  return { at, point: crosshair.point, zoom, onZoom };
}

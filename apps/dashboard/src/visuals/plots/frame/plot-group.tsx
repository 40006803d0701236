import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import type { Span } from '../series/spans.ts';

/** The instant that is pointed at, for all charts over the same time. Epoch milliseconds. */
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
  /** The stretch that all charts show; undefined: all that they have. */
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

/** Charts over the same time: what is pointed at in one is pointed at in all, and they zoom together. */
export function PlotGroup({ zoom, onZoom, children }: PlotGroupProps) {
  const [crosshair] = useState(() => new Crosshair());
  const group = useMemo(() => ({ crosshair, zoom, onZoom }), [crosshair, zoom, onZoom]);
  return <GroupContext value={group}>{children}</GroupContext>;
}

/** The group's zoom and the instant that is pointed at in it. */
export function usePlotGroup() {
  const { crosshair, zoom, onZoom } = useContext(GroupContext);
  const at = useSyncExternalStore(crosshair.subscribe, () => crosshair.at);
  return { at, point: crosshair.point, zoom, onZoom };
}

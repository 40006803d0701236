import { Skeleton } from '@mantine/core';
import { Waiting } from '../../ui/feedback/skeletons.tsx';
import classes from './analytics.module.css';

/** The share of the page's width that a panel takes. */
export type PanelWidth = 'wide' | 'half';

/** Placeholders at the places where the charts and lists will appear. */
export function PanelsSkeleton({ panels }: { readonly panels: readonly PanelWidth[] }) {
  const places = panels.map((width, place) => ({ width, place }));
  return (
    <Waiting what="charts" className={classes.grid}>
      {places.map(({ width, place }) => (
        <div key={place} className={width === 'wide' ? classes.wide : undefined}>
          <div className={classes.panel}>
            <Skeleton height={14} width="30%" my={5} />
            <Skeleton height={180} mb={4} />
          </div>
        </div>
      ))}
    </Waiting>
  );
}

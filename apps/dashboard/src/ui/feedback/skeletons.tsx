import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './skeletons.module.css';

/** Describes a loading state for people who cannot see the placeholders. */
export function Waiting({
  what,
  className,
  children,
}: {
  what: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div role="status" aria-busy="true" className={className}>
      <span className="visually-hidden">Loading {what}…</span>
      {children}
    </div>
  );
}

/** Returns the numbers from 0 to `count - 1`, one per placeholder of the same shape. */
export const listPlaces = (count: number) => Array.from({ length: count }, (_, place) => place);

/** Placeholders of table rows, 36 px each. */
export function RowsSkeleton({ what, rows = 8 }: { readonly what: string; readonly rows?: number }) {
  return (
    <Waiting what={what} className={classes.rows}>
      {listPlaces(rows).map((place) => (
        <div key={place} className={classes.row}>
          <Skeleton height={12} width="20%" />
          <Skeleton height={12} width="45%" />
          <Skeleton height={12} width="15%" />
        </div>
      ))}
    </Waiting>
  );
}

/** Placeholders of figures, as tiles in one row. */
export function TilesSkeleton({ what, tiles = 4 }: { readonly what: string; readonly tiles?: number }) {
  return (
    <Waiting what={what} className={classes.tiles}>
      {listPlaces(tiles).map((place) => (
        <div key={place} className={classes.tile}>
          <Skeleton height={12} width="50%" />
          <Skeleton height={24} width="35%" />
        </div>
      ))}
    </Waiting>
  );
}

/** Placeholders of cards, in the same grid as the cards that replace them. */
export function CardsSkeleton({ what, cards = 3 }: { readonly what: string; readonly cards?: number }) {
  return (
    <Waiting what={what} className={classes.cards}>
      {listPlaces(cards).map((place) => (
        <div key={place} className={classes.card}>
          <Skeleton height={16} width="55%" />
          <Skeleton height={12} width="80%" />
          <Skeleton height={12} width="40%" />
          <Skeleton height={32} mt="auto" />
        </div>
      ))}
    </Waiting>
  );
}

import { Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { computeShade } from '../frame/plot-colours.ts';
import { PlotFrame } from '../frame/plot-frame.tsx';
import type { PlotTable } from '../frame/plot-table.ts';
import classes from './country-map.module.css';
import { type CountryShape, loadCountries, MAP_BOX } from './country-shapes.ts';

interface CountryCount {
  /** ISO 3166-1 alpha-2 code; null if unknown. */
  readonly country: string | null;
  readonly name: string;
  readonly count: number;
  /** The formatted count. */
  readonly text: string;
}

interface CountryMapProps {
  readonly label: string;
  readonly countries: readonly CountryCount[];
  readonly table: PlotTable;
  readonly empty?: string;
  /** Wraps a country in a link to the requests from this country. */
  readonly link: (country: CountryCount, drawn: ReactNode) => ReactNode;
}

/** A world map that colours countries by count: the higher the count, the stronger the colour. */
export function CountryMap({ label, countries, table, empty, link }: CountryMapProps) {
  const [shapes, setShapes] = useState<readonly CountryShape[] | 'failed'>();
  const [pointed, setPointed] = useState<string>();
  useEffect(() => {
    let gone = false;
    loadCountries().then(
      (loaded) => !gone && setShapes(loaded),
      () => !gone && setShapes('failed'),
    );
    return () => {
      gone = true;
    };
  }, []);
  const byCode = useMemo(() => new Map(countries.map((each) => [each.country, each])), [countries]);
  const most = countries.reduce(
    (all, { country, count }) => (country === null ? all : Math.max(all, count)),
    0,
  );
  return (
    <PlotFrame
      label={label}
      words={pointed}
      table={countries.length === 0 ? { ...table, rows: [] } : table}
      {...(empty === undefined ? {} : { empty })}
    >
      {shapes === undefined ? (
        <Skeleton
          className={classes.waiting}
          style={{ aspectRatio: MAP_BOX.width / MAP_BOX.height }}
          height="auto"
        />
      ) : shapes === 'failed' ? (
        <p className={classes.failed} role="alert">
          The map could not be loaded. Its values are in the table.
        </p>
      ) : (
        <svg
          data-plot
          viewBox={`${MAP_BOX.x} ${MAP_BOX.y} ${MAP_BOX.width} ${MAP_BOX.height}`}
          className={classes.map}
          onPointerLeave={() => setPointed(undefined)}
        >
          <title>{label}</title>
          {shapes.map((shape) => {
            const count = byCode.get(shape.code ?? '');
            const words = `${count?.name ?? shape.name}: ${count?.text ?? 'none'}`;
            const drawn = (
              <path
                d={shape.path}
                className={count === undefined ? classes.land : classes.counted}
                fillOpacity={count === undefined ? 1 : computeShade(count.count, most)}
                onPointerEnter={() => setPointed(words)}
                aria-hidden={count === undefined}
              >
                <title>{words}</title>
              </path>
            );
            return (
              <g key={`${shape.code} ${shape.name}`}>{count === undefined ? drawn : link(count, drawn)}</g>
            );
          })}
        </svg>
      )}
    </PlotFrame>
  );
}

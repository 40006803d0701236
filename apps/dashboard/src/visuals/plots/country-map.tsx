import { Skeleton } from '@mantine/core';
import { useEffect, useMemo, useState } from 'react';
import classes from './country-map.module.css';
import { type CountryShape, loadCountries, MAP_BOX } from './country-shapes.ts';
import { shadeOf } from './plot-colours.ts';
import { PlotFrame } from './plot-frame.tsx';
import type { PlotTable } from './plot-table.ts';

interface CountryCount {
  /** ISO 3166-1, two letters; null: not known. */
  readonly country: string | null;
  readonly name: string;
  readonly count: number;
  /** The count in words. */
  readonly text: string;
}

interface CountryMapProps {
  readonly label: string;
  readonly countries: readonly CountryCount[];
  readonly table: PlotTable;
  readonly empty?: string;
}

/** Countries, the more of something the stronger in colour. */
export function CountryMap({ label, countries, table, empty }: CountryMapProps) {
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
        <Skeleton height={240} />
      ) : shapes === 'failed' ? (
        <p className={classes.failed} role="alert">
          The map could not be loaded. Its figures are in the table.
        </p>
      ) : (
        <svg
          data-plot
          role="img"
          aria-label={`${label}; the table has its figures`}
          viewBox={`${MAP_BOX.x} ${MAP_BOX.y} ${MAP_BOX.width} ${MAP_BOX.height}`}
          className={classes.map}
          onPointerLeave={() => setPointed(undefined)}
        >
          {shapes.map((shape) => {
            const count = byCode.get(shape.code ?? '');
            const words = `${count?.name ?? shape.name}: ${count?.text ?? 'none'}`;
            return (
              <path
                key={`${shape.code} ${shape.name}`}
                d={shape.path}
                className={count === undefined ? classes.land : classes.counted}
                fillOpacity={count === undefined ? 1 : shadeOf(count.count, most)}
                onPointerEnter={() => setPointed(words)}
              >
                <title>{words}</title>
              </path>
            );
          })}
        </svg>
      )}
    </PlotFrame>
  );
}

import { feature } from 'topojson-client';

/** A country's outline on a map of 360 by 180, north on top, a degree a unit. */
export interface CountryShape {
  /** ISO 3166-1, two letters; undefined of what has no code. */
  readonly code: string | undefined;
  readonly name: string;
  readonly path: string;
}

/** The map ends in the south where only ice follows. Degrees. */
const SOUTH_END = -58;
const HALF_TURN = 180;
const FULL_TURN = 360;
export const MAP_BOX = { x: -180, y: -84, width: 360, height: 84 - SOUTH_END } as const;

type Topology = Parameters<typeof feature>[0];
type Countries = Extract<Parameters<typeof feature>[1], { type: 'GeometryCollection' }>;
type World = Topology & { readonly objects: { readonly countries: Countries } };

/** Natural Earth's outlines, 1 : 110 million, in the public domain; about 39 kB packed, so loaded when a map is shown. */
export async function loadCountries(): Promise<readonly CountryShape[]> {
  const { default: world }: { default: unknown } = await import('world-atlas/countries-110m.json');
  if (!isWorld(world)) throw new Error('these are no outlines of countries');
  return buildShapes(world);
}

/** It came with the page: enough is checked to know that it is the right file. */
function isWorld(value: unknown): value is World {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('objects' in value))
    return false;
  const { type, objects } = value;
  return type === 'Topology' && typeof objects === 'object' && objects !== null && 'countries' in objects;
}

/** Each country of a topology as a path. */
export function buildShapes(world: World): readonly CountryShape[] {
  const { features } = feature(world, world.objects.countries);
  return features.map(({ id, properties, geometry }) => ({
    code: alphaCode(typeof id === 'string' ? id : undefined),
    name: typeof properties?.name === 'string' ? properties.name : '',
    path:
      geometry.type === 'Polygon'
        ? ringsPath(geometry.coordinates)
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates.map(ringsPath).join('')
          : '',
  }));
}

/**
 * A ring that crosses the 180th meridian jumps from one edge of the map to the other: it goes on beyond the edge instead, and is drawn once more
 * a whole turn away, so that each edge shows its part.
 */
function ringsPath(rings: readonly (readonly (readonly number[])[])[]): string {
  return rings
    .map((ring) => {
      let turn = 0;
      let last = ring[0]?.[0] ?? 0;
      const points = ring.map(([longitude = 0, latitude = 0]) => {
        if (longitude - last > HALF_TURN) turn -= FULL_TURN;
        if (last - longitude > HALF_TURN) turn += FULL_TURN;
        last = longitude;
        return { x: longitude + turn, y: -latitude };
      });
      const beyond = points.find(({ x }) => Math.abs(x) > HALF_TURN)?.x ?? 0;
      const whole = buildPath(points, 0);
      return beyond === 0 ? whole : whole + buildPath(points, beyond > 0 ? -FULL_TURN : FULL_TURN);
    })
    .join('');
}

function buildPath(points: readonly { readonly x: number; readonly y: number }[], by: number): string {
  return `M${points.map(({ x, y }) => `${(x + by).toFixed(2)} ${y.toFixed(2)}`).join('L')}Z`;
}

/** ISO 3166-1's number as its two letters: the browser's own tables know. */
export function alphaCode(number: string | undefined): string | undefined {
  if (number === undefined || !/^\d{3}$/.test(number)) return undefined;
  const [locale = ''] = Intl.getCanonicalLocales(`und-${number}`);
  return /^und-([A-Z]{2})$/.exec(locale)?.[1];
}

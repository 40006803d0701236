import { feature } from 'topojson-client';

/** A country's outline on a map of 360 by 180 units, one unit per degree, with north at the top. */
export interface CountryShape {
  /** ISO 3166-1 alpha-2 code; undefined for areas without a code. */
  readonly code: string | undefined;
  readonly name: string;
  readonly path: string;
}

/** The southern edge of the map, below which there is only ice. Degrees. */
const SOUTH_END = -58;
const HALF_TURN = 180;
const FULL_TURN = 360;
export const MAP_BOX = { x: -180, y: -84, width: 360, height: 84 - SOUTH_END } as const;

type Topology = Parameters<typeof feature>[0];
type Countries = Extract<Parameters<typeof feature>[1], { type: 'GeometryCollection' }>;
type World = Topology & { readonly objects: { readonly countries: Countries } };

/** Natural Earth's outlines at 1 : 110 million, in the public domain; about 39 kB compressed, so loaded only when a map is shown. */
export async function loadCountries(): Promise<readonly CountryShape[]> {
  const { default: world }: { default: unknown } = await import('world-atlas/countries-110m.json');
  if (!isWorld(world)) throw new Error('the file contains no outlines of countries');
  return buildShapes(world);
}

/** The file is served with the page, so the check only confirms that it is the right file. */
function isWorld(value: unknown): value is World {
  if (typeof value !== 'object' || value === null || !('type' in value) || !('objects' in value))
    return false;
  const { type, objects } = value;
  return type === 'Topology' && typeof objects === 'object' && objects !== null && 'countries' in objects;
}

/** Converts each country of a topology to a path. */
export function buildShapes(world: World): readonly CountryShape[] {
  const { features } = feature(world, world.objects.countries);
  return features.map(({ id, properties, geometry }) => ({
    code: toAlphaCode(typeof id === 'string' ? id : undefined),
    name: typeof properties?.name === 'string' ? properties.name : '',
    path:
      geometry.type === 'Polygon'
        ? drawRings(geometry.coordinates)
        : geometry.type === 'MultiPolygon'
          ? geometry.coordinates.map(drawRings).join('')
          : '',
  }));
}

/**
 * A ring that crosses the 180th meridian would jump from one edge of the map to the other. Instead, it continues beyond the edge and is
 * drawn a second time, shifted by 360 degrees, so that each edge shows its part.
 */
function drawRings(rings: readonly (readonly (readonly number[])[])[]): string {
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

/** Converts an ISO 3166-1 numeric code to its two-letter code with the browser's own tables. */
export function toAlphaCode(number: string | undefined): string | undefined {
  if (number === undefined || !/^\d{3}$/.test(number)) return undefined;
  const [locale = ''] = Intl.getCanonicalLocales(`und-${number}`);
  return /^und-([A-Z]{2})$/.exec(locale)?.[1];
}

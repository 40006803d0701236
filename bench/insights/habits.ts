/** Generates projects that behave like real services. The same seed gives the same project. */
import { between, forkRandom, pick, type Random } from './random.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const DAYS = 14;

/** A typical call of an endpoint to a dependency. */
export interface CallHabit {
  readonly name: string;
  readonly type: 'database' | 'http' | 'cache';
  /** The database system or the server's address. */
  readonly to: string;
  readonly medianMs: number;
  /** True if the call runs concurrently with the previous call. Other calls need the result of the previous call. */
  readonly beside?: boolean;
}

export interface EndpointHabit {
  readonly method: string;
  readonly path: string;
  readonly weight: number;
  /** Median duration of the endpoint's own code, without calls. */
  readonly ownMs: number;
  /** Standard deviation of the logarithm of the endpoint's own time. */
  readonly sigma: number;
  readonly calls: readonly CallHabit[];
  /** Share of the requests that the endpoint's cache serves. Only requests that the cache does not serve make the endpoint's calls. */
  readonly hitRate?: number;
  readonly bodyItems: number;
  /** The only hour of the day in which there are requests; absent if the requests follow the usual daily rhythm. */
  readonly onlyHour?: number;
}

/** An error that always occurs at some rate. Its messages differ in names and numbers. */
export interface KnownError {
  readonly endpoint: EndpointHabit;
  readonly rate: number;
  readonly status: number;
  /** The words that all messages of the error have in common. */
  readonly words: string;
  readonly say: (random: Random) => string;
}

export interface Release {
  readonly name: string;
  readonly fromMs: number;
}

export interface User {
  readonly id: string;
  readonly country: string;
  readonly tenant: string;
}

export interface Project {
  readonly seed: number;
  readonly service: string;
  readonly endpoints: readonly EndpointHabit[];
  readonly errors: readonly KnownError[];
  readonly countries: readonly string[];
  readonly instances: readonly string[];
  readonly tenants: readonly string[];
  readonly users: readonly User[];
  readonly production: readonly Release[];
  readonly staging: readonly Release[];
  readonly requestsPerDay: number;
  readonly stagingPerDay: number;
  /** Factor by which requests in staging take longer than in production. */
  readonly stagingSlowness: number;
  readonly untilMs: number;
  /** Hour of the week, in the users' time zone, at which the data ends. */
  readonly endHour: number;
}

const SERVICES = ['shop', 'tickets', 'clinic', 'library', 'freight'];
const THINGS = ['products', 'events', 'visits', 'books', 'shipments'];
const COUNTRIES = [
  ['DE', 'FR', 'JP'],
  ['US', 'CA', 'BR'],
  ['GB', 'IE', 'IN'],
];
const NAMES = ['Ada Moreau', 'Ken Tanaka', 'Radia Silva', 'Alan Novak', 'Grace Okafor', 'Ines Weber'];

export function makeProject(seed: number, untilMs: number): Project {
  const random = forkRandom(seed, 'habits');
  const place = Math.floor(random() * SERVICES.length);
  const endpoints = makeEndpoints(random, THINGS[place] ?? 'things');
  const countries = pick(random, COUNTRIES);
  const tenants = ['acme', 'globex', 'initech', 'umbrella', 'hooli', 'stark'];
  // The data ends between noon and midnight, so that there are requests in the last hours of the data, in which some problems begin.
  const endHour = 24 * Math.floor(random() * 7) + between(random, 12, 24);
  const production = makeReleases(random, untilMs, endHour);
  const users = Array.from({ length: 30 + Math.floor(random() * 30) }, (_user, index) => {
    const share = random();
    return {
      id: `u${1000 + index}`,
      country: countries[share < 0.55 ? 0 : share < 0.8 ? 1 : 2] ?? '',
      tenant: pick(random, tenants),
    };
  });
  return {
    seed,
    service: SERVICES[place] ?? 'service',
    endpoints,
    errors: makeErrors(endpoints),
    countries,
    instances: ['web-1', 'web-2', 'web-3'],
    tenants,
    users,
    production,
    staging: makeStaging(random, production, untilMs),
    requestsPerDay: Math.round(between(random, 450, 800)),
    stagingPerDay: Math.round(between(random, 25, 70)),
    stagingSlowness: between(random, 0.7, 2.5),
    untilMs,
    endHour,
  };
}

function makeEndpoints(random: Random, things: string): EndpointHabit[] {
  const quick = between(random, 0.7, 1.6);
  const database = (name: string, medianMs: number, beside = false): CallHabit => ({
    name: `SELECT ${name}`,
    type: 'database',
    to: 'postgresql',
    medianMs: medianMs * quick,
    beside,
  });
  const usual = { sigma: 0.35, bodyItems: 3 };
  const always: EndpointHabit[] = [
    {
      ...usual,
      method: 'GET',
      path: `/${things}/:id`,
      weight: 30,
      ownMs: 12 * quick,
      hitRate: 0.9,
      calls: [database(things, 18)],
    },
    {
      ...usual,
      method: 'GET',
      path: '/search',
      weight: 22,
      ownMs: 45 * quick,
      calls: [database('search_index', 30)],
      bodyItems: 8,
    },
    {
      ...usual,
      method: 'POST',
      path: '/orders',
      weight: 16,
      ownMs: 40 * quick,
      calls: [
        database('customers', 9),
        database('carts', 12),
        { name: 'POST payments.example/charges', type: 'http', to: 'payments.example', medianMs: 70 * quick },
      ],
    },
    {
      ...usual,
      method: 'GET',
      path: '/account',
      weight: 14,
      ownMs: 15 * quick,
      calls: [database('profiles', 20), database('addresses', 25, true), database('vouchers', 22, true)],
    },
  ];
  const some: EndpointHabit[] = [
    {
      ...usual,
      method: 'GET',
      path: '/orders/:id',
      weight: 12,
      ownMs: 14 * quick,
      calls: [database('orders', 10), database('lines', 14)],
    },
    // The duration of a long poll does not depend on the load: it ends with an event, or after half a minute.
    { ...usual, method: 'GET', path: '/notifications/poll', weight: 7, ownMs: 16_000, sigma: 0.6, calls: [] },
    {
      ...usual,
      method: 'POST',
      path: '/reports/export',
      weight: 0.5,
      ownMs: 900,
      sigma: 0.7,
      calls: [database('report', 300)],
    },
    {
      ...usual,
      method: 'POST',
      path: '/jobs/nightly',
      weight: 0.7,
      ownMs: 2500,
      calls: [database('stale_carts', 600)],
      onlyHour: 3,
    },
  ];
  // Every project has the long poll and the rare endpoint; the other two endpoints are in some projects.
  return [...always, ...some.filter(({ path }) => /poll|export/.test(path) || random() < 0.6)];
}

function makeErrors(endpoints: readonly EndpointHabit[]): KnownError[] {
  const digits = (random: Random) => String(1000 + Math.floor(random() * 9000));
  const named = (random: Random) => pick(random, NAMES);
  const all = [
    {
      at: '/orders',
      rate: 0.02,
      status: 402,
      words: 'was declined',
      say: (r: Random) => `Card ending in ${digits(r)} was declined`,
    },
    {
      at: '/orders',
      rate: 0.012,
      status: 422,
      words: 'has no address',
      say: (r: Random) =>
        `Customer "${named(r)}" (${named(r).toLowerCase().replace(' ', '.')}@example.com) has no address`,
    },
    {
      at: '/search',
      rate: 0.012,
      status: 504,
      words: 'index did not answer',
      say: (r: Random) => `The index did not answer within ${digits(r)} ms`,
    },
    {
      at: '/account',
      rate: 0.015,
      status: 409,
      words: 'is being changed',
      say: (r: Random) => `Profile ${digits(r)} is being changed by '${named(r)}'`,
    },
  ];
  return all.flatMap(({ at, ...error }) =>
    endpoints.filter(({ path }) => path === at).map((endpoint) => ({ ...error, endpoint })),
  );
}

/** Builds releases at noon, three to five days apart. The newest release is two to five days old. */
function makeReleases(random: Random, untilMs: number, endHour: number): Release[] {
  const noonMs = untilMs - (((endHour % 24) + 12) % 24) * HOUR_MS;
  const ages: number[] = [];
  for (let age = 2 + Math.floor(random() * 3); age < DAYS; age += 3 + Math.floor(random() * 3))
    ages.unshift(age);
  const starts = [untilMs - (DAYS + 1) * DAY_MS, ...ages.map((age) => noonMs - age * DAY_MS)];
  return starts.map((fromMs, index) => ({ name: `2.${index}.0`, fromMs }));
}

/** Deploys each release to staging 16 to 40 hours before production. The next release is already in staging. */
function makeStaging(random: Random, production: readonly Release[], untilMs: number): Release[] {
  const ahead = between(random, 16, 40) * HOUR_MS;
  const next = { name: `2.${production.length}.0`, fromMs: untilMs - between(random, 8, 30) * HOUR_MS };
  return [...production.map(({ name, fromMs }) => ({ name, fromMs: fromMs - ahead })), next];
}

/** Converts a time to the hour of the week in the users' time zone; 0 is the first hour of Monday. */
export function toLocalHour({ untilMs, endHour }: Project, atMs: number): number {
  return (((endHour + (atMs - untilMs) / HOUR_MS) % 168) + 168) % 168;
}

export function findRelease(releases: readonly Release[], atMs: number): Release {
  const release = releases.findLast(({ fromMs }) => fromMs <= atMs) ?? releases[0];
  if (release === undefined) throw new Error('a project has a release');
  return release;
}

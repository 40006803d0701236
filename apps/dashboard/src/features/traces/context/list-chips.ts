import { formatTraceQuery, type Trace, type TraceRow } from '@throughline/contract';
import type { ViewParams } from '../../../shell/url-state/search-params.ts';
import { formatCountry } from '../../trace-list/index.ts';
import { findTenants } from './tenant-attributes.ts';

/** The facts about a request's service and tenant that only the loaded trace has. */
export type LoadedContext = Pick<Trace, 'serviceVersion' | 'instance' | 'attributes'>;

/** A value of a request, with the URL parameters of the list of all requests with the same value. */
interface Chip {
  readonly name: string;
  readonly text: string;
  /** The whole value as text. Left out if `text` already contains the whole value. */
  readonly wholeText?: string;
  readonly search: Pick<
    ViewParams,
    'service' | 'environment' | 'release' | 'instance' | 'user' | 'session' | 'country' | 'attribute'
  >;
}

/** Returns the text of a chip, and the term that filters for the chip's value. */
export function findChipFilter({ text, search }: Chip): { readonly value: string; readonly term: string } {
  return { value: text, term: formatTraceQuery(search) };
}

/** Number of shown characters of a session's id, which are enough to distinguish it from other ids. */
const MAX_SESSION = 12;

/**
 * Lists the chips of a request: one for each known value of its context, such as service, release and user. `loaded` is undefined until the
 * trace is loaded.
 */
export function listChips(row: TraceRow, loaded: LoadedContext | undefined): readonly Chip[] {
  const { serviceVersion = '', instance = '', attributes = {} } = loaded ?? {};
  const { service, environment, release, userId, sessionId, country } = row;
  const chips: Chip[] = [];
  if (service !== '') {
    // Most services use their version as the release. The version is then shown only in the chip of the release.
    const version = serviceVersion === release ? '' : serviceVersion;
    chips.push({ name: 'service', text: `${service} ${version}`.trim(), search: { service } });
  }
  if (environment !== '') chips.push({ name: 'environment', text: environment, search: { environment } });
  if (release !== '') chips.push({ name: 'release', text: `release ${release}`, search: { release } });
  if (instance !== '') chips.push({ name: 'instance', text: `on ${instance}`, search: { instance } });
  for (const { name, value, filter } of findTenants(attributes)) {
    chips.push({ name, text: `${name} ${value}`, search: { attribute: filter } });
  }
  if (userId !== null) chips.push({ name: 'user', text: `user ${userId}`, search: { user: userId } });
  if (sessionId !== null) {
    chips.push({
      name: 'session',
      text: `session ${sessionId.slice(0, MAX_SESSION)}${sessionId.length > MAX_SESSION ? '…' : ''}`,
      ...(sessionId.length > MAX_SESSION && { wholeText: `session ${sessionId}` }),
      search: { session: sessionId },
    });
  }
  if (country !== null) {
    chips.push({ name: 'country', text: `country ${formatCountry(country)}`, search: { country } });
  }
  return chips;
}

/** A list of the requests around a request begins this long before, and ends this long after, the start of the request. */
const AROUND_MINUTES = 15;
const AROUND_MS = AROUND_MINUTES * 60_000;
export const AROUND_TEXT = `All requests from ${AROUND_MINUTES} minutes before to ${AROUND_MINUTES} minutes after`;

/** Returns the URL parameters of the list of requests around a request's start, to the same service and environment. */
export function searchAround({
  timing,
  service,
  environment,
}: Pick<TraceRow, 'timing' | 'service' | 'environment'>): Pick<
  ViewParams,
  'from' | 'to' | 'service' | 'environment'
> {
  const startMs = Date.parse(timing.startTime);
  return {
    from: new Date(startMs - AROUND_MS).toISOString(),
    to: new Date(startMs + AROUND_MS).toISOString(),
    ...(service !== '' && { service }),
    ...(environment !== '' && { environment }),
  };
}

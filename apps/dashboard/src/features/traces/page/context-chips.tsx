import type { Trace, TraceRow } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ViewParams } from '../../../shell/url-state/search-params.ts';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { useHasSession } from '../data/trace-calls.ts';
import classes from './trace-dialog.module.css';

interface ContextChipsProps {
  readonly row: TraceRow;
  /** Undefined until the trace is loaded. */
  readonly service: Pick<Trace, 'serviceVersion' | 'instance'> | undefined;
}

/** The context of a request; each item is a link to all requests that share the item. Viewers without a session see plain text. */
export function ContextChips({ row, service }: ContextChipsProps) {
  const isSignedIn = useHasSession();
  return listChips(row, service).map(({ name, text, search }) => {
    const shown = escapeControlCharacters(text);
    return isSignedIn ? (
      <AnchorLink
        key={name}
        to="/dashboard"
        search={{ project: row.projectId, ...search }}
        className={classes.chip}
        title={`All requests with ${name} ${shown}`}
      >
        {shown}
      </AnchorLink>
    ) : (
      <span key={name} className={classes.dim}>
        {shown}
      </span>
    );
  });
}

interface Chip {
  readonly name: string;
  readonly text: string;
  readonly search: Pick<
    ViewParams,
    'service' | 'environment' | 'release' | 'instance' | 'user' | 'session' | 'country'
  >;
}

/** This many characters of a session's id distinguish it from other ids. */
const MAX_SESSION = 12;

function listChips(row: TraceRow, details: ContextChipsProps['service']): readonly Chip[] {
  const { serviceVersion, instance = '' } = details ?? {};
  const { service, environment, release, userId, sessionId, country } = row;
  const chips: Chip[] = [];
  if (service !== '') {
    chips.push({ name: 'service', text: `${service} ${serviceVersion ?? ''}`.trim(), search: { service } });
  }
  if (environment !== '') chips.push({ name: 'environment', text: environment, search: { environment } });
  // Most services use their version as the release: the chip of the service already shows it.
  if (release !== '' && release !== serviceVersion) {
    chips.push({ name: 'release', text: `release ${release}`, search: { release } });
  }
  if (instance !== '') chips.push({ name: 'instance', text: `on ${instance}`, search: { instance } });
  if (userId !== null) chips.push({ name: 'user', text: `user ${userId}`, search: { user: userId } });
  if (sessionId !== null) {
    chips.push({
      name: 'session',
      text: `session ${sessionId.slice(0, MAX_SESSION)}${sessionId.length > MAX_SESSION ? '…' : ''}`,
      search: { session: sessionId },
    });
  }
  if (country !== null) chips.push({ name: 'country', text: country, search: { country } });
  return chips;
}

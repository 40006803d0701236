import { type AlertDelivery, type AlertIncident, describeAlert, describeScope } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useMinute } from '../../../shell/time-range/use-minute.ts';
import { StateTag } from '../../../ui/layout/badges.tsx';
import { AnchorLink, ButtonLink } from '../../../ui/layout/links.tsx';
import rows from '../../../ui/tables/row-list.module.css';
import classes from '../alerts.module.css';
import { buildErrorSearch, buildInsightSearch, buildRequestsSearch } from './incident-search.ts';
import { describeMessages, describePeak, describeTime } from './incident-text.ts';

interface IncidentRowsProps {
  readonly projectId: string;
  readonly incidents: readonly AlertIncident[];
  /** True while the incidents for changed filters load: the list still shows the incidents for the previous filters. */
  readonly stale: boolean;
}

/**
 * List of incidents, each with its time, highest value and messages. Each incident links to its requests, except if the requests of the
 * incident's error are no longer stored.
 */
export function IncidentRows({ projectId, incidents, stale }: IncidentRowsProps) {
  const nowMs = useMinute();
  return (
    <ul
      className={`${rows.list} ${classes.incidents}`}
      aria-label="Incidents"
      aria-busy={stale}
      data-stale={stale}
    >
      {incidents.map((incident) => (
        <li key={incident.id} className={`${rows.row} ${classes.row}`}>
          <div className={`${rows.about} ${classes.about}`}>
            <div className={classes.title}>
              {describeAlert(incident.rule)}
              <StateTag
                tone={incident.closedAt === null ? 'red' : 'grey'}
                label={incident.closedAt === null ? 'Ongoing' : 'Ended'}
              />
            </div>
            <Scope rule={incident.rule} />
            <Subject projectId={projectId} incident={incident} />
            <div>
              {[describeTime(incident, nowMs), describePeak(incident)]
                .filter((part) => part !== '')
                .join(' · ')}
            </div>
            <div className={rows.dim}>{describeMessages(incident)}</div>
            <Problems deliveries={incident.deliveries} />
          </div>
          {incident.error?.hasRequests !== false && (
            <ButtonLink
              to="/dashboard"
              search={buildRequestsSearch(projectId, incident)}
              size="compact-sm"
              variant="default"
            >
              {incident.rule.kind === 'no_traffic' ? 'Earlier requests' : 'Requests'}
              <span className="visually-hidden">: {describeAlert(incident.rule)}</span>
            </ButtonLink>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Names the requests that the rule applies to. Renders nothing if the rule applies to all requests. */
function Scope({ rule }: Pick<AlertIncident, 'rule'>) {
  const scope = escapeControlCharacters(describeScope(rule));
  return scope === '' ? null : <div className={rows.dim}>{scope}</div>;
}

/** Links to the error or insight of an incident. An error without stored requests has no page. */
function Subject({ projectId, incident }: { projectId: string; incident: AlertIncident }) {
  const { error, insight } = incident;
  if (error !== null) {
    const message = escapeControlCharacters(error.message);
    if (!error.hasRequests) {
      return (
        <>
          <div>{message}</div>
          <div className={rows.dim}>The requests with this error are no longer stored.</div>
        </>
      );
    }
    return (
      <div>
        <AnchorLink to="/errors" search={buildErrorSearch(projectId, incident, error.id)} inherit>
          {message}
        </AnchorLink>
      </div>
    );
  }
  if (insight === null) return null;
  return (
    <div>
      <AnchorLink to="/analytics" search={buildInsightSearch(projectId, incident, insight)} inherit>
        {escapeControlCharacters(insight.title)}
      </AnchorLink>
    </div>
  );
}

/** Lists why messages have not arrived, each reason once. */
function Problems({ deliveries }: { readonly deliveries: readonly AlertDelivery[] }) {
  const problems = deliveries.flatMap(({ problem, target }) =>
    problem === null ? [] : [`${target}: ${problem}.`],
  );
  return [...new Set(problems)].map((problem) => <div key={problem}>{problem}</div>);
}

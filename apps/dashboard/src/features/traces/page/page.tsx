import { getRouteApi } from '@tanstack/react-router';
import { PRODUCT } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useSession } from '../../../shell/session/use-session.ts';
import { useViewParams } from '../../../shell/url-state/search-params.ts';
import { isNotThere, NotThere } from '../../../ui/feedback/not-there.tsx';
import { ButtonLink } from '../../../ui/layout/links.tsx';
import { useEarlyComparison, useTrace, useUsual } from '../data/queries.ts';
import { TraceActions } from '../views/trace-actions.tsx';
import { NO_TRACE, TraceContent } from './trace-content.tsx';
import { TraceHeader } from './trace-header.tsx';
import { TraceSection } from './trace-section.tsx';

const route = getRouteApi('/signed-in/traces/$id');

/** A trace as a page of its own, which can stay open, be reloaded, or be shared with a colleague. */
export function TracePage() {
  const { id } = route.useParams();
  const { view } = useViewParams();
  useEarlyComparison(id);
  const query = useTrace(id, undefined);
  const usual = useUsual(id);
  const trace = query.data?.trace;
  const isSignedIn = useSession().status === 'signed-in';
  const flow = view === 'flow';
  if (trace === undefined && isNotThere(query.error)) return <TraceNotFound />;
  return (
    <TraceSection flow={flow}>
      <title>
        {trace === undefined
          ? `Trace · ${PRODUCT.name}`
          : `${escapeControlCharacters(`${trace.request.method} ${trace.request.path}`)} · ${PRODUCT.name}`}
      </title>
      <TraceHeader row={trace} context={trace} usual={usual} heading="h1" isWaiting={query.isPending}>
        <TraceActions loaded={query.data} flow={flow} />
        {isSignedIn ? (
          <ButtonLink
            to="/dashboard"
            search={trace === undefined ? {} : { project: trace.projectId }}
            size="compact-sm"
            variant="default"
          >
            All traces
          </ButtonLink>
        ) : (
          trace !== undefined && (
            <ButtonLink to="/public/$id" params={{ id: trace.projectId }} size="compact-sm" variant="default">
              All traces
            </ButtonLink>
          )
        )}
      </TraceHeader>
      <TraceContent query={query} flow={flow} />
    </TraceSection>
  );
}

function TraceNotFound() {
  return (
    <NotThere what="Trace" title={NO_TRACE.title} to="/dashboard" others="See all traces">
      {NO_TRACE.reason}
    </NotThere>
  );
}

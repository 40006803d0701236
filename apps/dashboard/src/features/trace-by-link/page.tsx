import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PRODUCT, routes, type SharedLink } from '@throughline/contract';
import { escapeControlCharacters } from '@throughline/contract/captured';
import { useState } from 'react';
import { api } from '../../shell/api.ts';
import { useViewParams } from '../../shell/url-state/search-params.ts';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNotice } from '../../ui/feedback/error-notice.tsx';
import { isNotThere } from '../../ui/feedback/not-there.tsx';
import { RowsSkeleton } from '../../ui/feedback/skeletons.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { PublicFrame } from '../public/index.ts';
import { CopyMenu, TraceContent, TraceHeader, TraceSection, useTrace, ViewToggle } from '../traces/index.ts';
import { createSharedClient } from './link-client.ts';
import { SharedNote } from './link-note.tsx';

const route = getRouteApi('/signed-in/shared/$token');

/** Page of a shared trace, the same for everyone who has the link. */
export function SharedTracePage() {
  const { token } = route.useParams();
  return <Shared key={token} token={token} />;
}

function Shared({ token }: { readonly token: string }) {
  const [client] = useState(() => createSharedClient(token));
  return (
    <QueryClientProvider client={client}>
      <OpenedLink token={token} />
    </QueryClientProvider>
  );
}

function OpenedLink({ token }: { readonly token: string }) {
  const query = useQuery({
    queryKey: ['shared-link', token],
    queryFn: ({ signal }) => api.call(routes.shared.link, { params: { token }, signal }),
    select: (answer) => answer.link,
  });
  // The error is checked before the data, because a link can expire while its page is open.
  if (isNotThere(query.error)) return <LinkEnded />;
  if (query.data !== undefined) return <SharedTrace link={query.data} />;
  return (
    <PublicFrame note={null}>
      {query.isError ? (
        <ErrorNotice
          what="The link could not be opened."
          error={query.error}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <RowsSkeleton what="trace" rows={8} />
      )}
    </PublicFrame>
  );
}

function SharedTrace({ link }: { readonly link: SharedLink }) {
  const { view } = useViewParams();
  const query = useTrace(link.traceId, undefined);
  const trace = query.data?.trace;
  const flow = view === 'flow';
  if (isNotThere(query.error)) return <LinkEnded />;
  const request = trace && escapeControlCharacters(`${trace.request.method} ${trace.request.path}`);
  return (
    <PublicFrame note={<SharedNote link={link} />}>
      <TraceSection flow={flow}>
        <title>{`${request ?? 'Shared trace'} · ${PRODUCT.name}`}</title>
        <TraceHeader row={trace} context={trace} usual={undefined} heading="h1" isWaiting={query.isPending}>
          <ViewToggle flow={flow} />
          <CopyMenu trace={trace} />
        </TraceHeader>
        <TraceContent query={query} flow={flow} />
      </TraceSection>
    </PublicFrame>
  );
}

function LinkEnded() {
  return (
    <PublicFrame note={null}>
      <PageHeader title="Shared trace" />
      <EmptyState title="This link no longer works">
        The link has expired, was revoked, or is incomplete. Ask the person who sent the link for a new one.
      </EmptyState>
    </PublicFrame>
  );
}

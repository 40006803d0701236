import { queryOptions, useQuery } from '@tanstack/react-query';
import { routes } from '@throughline/contract';
import { type ReactNode, useMemo, useRef } from 'react';
import { api } from '../../../shell/api.ts';
import { useChangeView, useViewParams, type ViewChange } from '../../../shell/url-state/search-params.ts';
import { isNotThere } from '../../../ui/feedback/not-there.tsx';
import { buildStandOutOptions, type LoadedTrace } from '../data/queries.ts';
import { useHasSession } from '../data/trace-calls.ts';
import { type AskedValue, readAsked, writeAsked } from './asked-value.ts';
import { ValueOriginContext } from './value-origin-context.ts';

/** Provides the followed value, stored in the URL, to a trace's steps and to the details panel. */
export function ValueOriginProvider({
  loaded,
  children,
}: {
  readonly loaded: LoadedTrace;
  readonly children: ReactNode;
}) {
  const traceId = loaded.trace._id;
  const { origin } = useViewParams();
  const change = useChangeView();
  const wantsFocus = useRef(false);
  const isSignedIn = useHasSession();
  const statements = useQuery({ ...buildStandOutOptions(traceId), enabled: isSignedIn });
  // Another user's public project has no values that can be followed.
  const canFollow = isSignedIn && !isNotThere(statements.error);
  const asked = useMemo(() => (canFollow ? readAsked(origin) : undefined), [canFollow, origin]);
  const query = useQuery({ ...buildOriginOptions(traceId, asked ?? NOTHING), enabled: asked !== undefined });
  const { data } = query;
  const marked = useMemo(() => {
    if (asked === undefined || data === undefined || data.refusal !== null) return new Set<string>();
    const links = [data.asked, ...data.came, ...data.went];
    return new Set(links.flatMap(({ stepId }) => stepId ?? []));
  }, [asked, data]);
  const state = {
    asked,
    query,
    marked,
    ask: (wanted: AskedValue, more?: ViewChange) => {
      wantsFocus.current = true;
      change({ ...more, origin: writeAsked(wanted) }, { replace: more === undefined });
    },
    close: () => change({ origin: undefined }, { replace: true }),
    takeFocus: () => {
      const wanted = wantsFocus.current;
      wantsFocus.current = false;
      return wanted;
    },
  };
  return (
    <ValueOriginContext.Provider value={canFollow ? state : undefined}>
      {children}
    </ValueOriginContext.Provider>
  );
}

const NOTHING: AskedValue = { stepId: null, place: 'request.path', path: [] };

function buildOriginOptions(traceId: string, { stepId, place, path }: AskedValue) {
  return queryOptions({
    queryKey: ['trace', traceId, 'value-origin', stepId, place, path],
    queryFn: async ({ signal }) => {
      const query = { place, path: JSON.stringify(path), ...(stepId === null ? {} : { stepId }) };
      return (await api.call(routes.traces.valueOrigin, { params: { id: traceId }, query, signal })).origin;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

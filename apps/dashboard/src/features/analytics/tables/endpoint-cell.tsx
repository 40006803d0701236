import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { MethodBadge } from '../../../ui/layout/badges.tsx';
import { NamedTraces } from './traces-link.tsx';

interface EndpointProps {
  readonly method: string;
  readonly path: string;
  /** URL parameters that make the trace list show the endpoint's traces. */
  readonly search: ViewChange;
}

export function EndpointCell({ method, path, search }: EndpointProps) {
  return (
    <span>
      <MethodBadge method={escapeControlCharacters(method)} /> <NamedTraces name={path} search={search} />
    </span>
  );
}

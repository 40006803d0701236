import { escapeControlCharacters } from '@throughline/contract/captured';
import type { ViewChange } from '../../../shell/url-state/search-params.ts';
import { MethodBadge } from '../../../ui/layout/badges.tsx';
import { NamedTraces } from './traces-link.tsx';

interface EndpointProps {
  readonly method: string;
  readonly path: string;
  /** Its traces. */
  readonly search: ViewChange;
}

/** An endpoint, which leads to its traces. */
export function EndpointCell({ method, path, search }: EndpointProps) {
  return (
    <span>
      <MethodBadge method={escapeControlCharacters(method)} /> <NamedTraces name={path} search={search} />
    </span>
  );
}

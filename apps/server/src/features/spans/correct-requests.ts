import { type AttributeHashes, MAX_ATTRIBUTES, type TraceStore } from '../../platform/trace-store/index.ts';
import { formatKinds } from '../rollups/index.ts';
import { assemble, type SpanLink } from './assemble.ts';
import { findHour, type MakeRequestsDeps } from './make-requests.ts';
import {
  type CountedTrace,
  findCounts,
  findFacts,
  type RequestChange,
  updateRequests,
} from './requests-store.ts';
import type { StoredSize } from './settling-store.ts';
import { findLinks, findLinksPaged, formatKey, type TraceKey } from './store.ts';

interface CorrectDeps extends Pick<MakeRequestsDeps, 'changing'> {
  readonly store: TraceStore;
}

export interface SizedTrace {
  readonly key: TraceKey;
  readonly size: StoredSize;
}

/**
 * The rows of requests contain the search data of their steps only if the trace has at most this number of spans. For larger traces, search
 * reads the JSON of the steps instead.
 */
export const MAX_SEARCHED_SPANS = 5000;
const MAX_SEARCHED_BYTES = 8 * 1024 * 1024;

/** A request with the steps that result from the stored spans; the request's row can list other steps. */
interface Corrected {
  readonly request: CountedTrace;
  readonly stepIds: readonly string[];
  /** True if the step count of any request in the trace differs from the count in the request's row. */
  readonly moved: boolean;
  /** True if the row gets the search data of its steps. For larger traces, search reads the steps' JSON instead. */
  readonly isSearched: boolean;
}

/** Corrects the rows of requests. Returns the traces without a request, with their spans. */
export async function correctRequests(
  { store, changing }: CorrectDeps,
  traces: readonly SizedTrace[],
): Promise<ReadonlyMap<string, readonly SpanLink[]>> {
  const keys = traces.map(({ key }) => key);
  const [only, ...others] = keys;
  const links =
    only !== undefined && others.length === 0
      ? new Map([[formatKey(only), await findLinksPaged(store, only)]])
      : await findLinks(store, keys);
  const counted = Map.groupBy(await findCounts(store, keys), formatKey);
  const wrong: Corrected[] = [];
  const open = new Map<string, readonly SpanLink[]>();
  for (const { key, size } of traces) {
    const name = formatKey(key);
    const spans = links.get(name) ?? [];
    const requests = counted.get(name) ?? [];
    if (requests.length === 0) {
      if (spans.length > 0) open.set(name, spans);
      continue;
    }
    const isSearched = size.spans <= MAX_SEARCHED_SPANS && size.metadataBytes <= MAX_SEARCHED_BYTES;
    const steps = assemble(spans);
    const corrected = requests.map((request) => ({
      request,
      stepIds: (steps.get(request.spanId) ?? []).map(({ spanId }) => spanId),
    }));
    const moved = corrected.some(({ request, stepIds }) => request.stepCount !== stepIds.length);
    // If the number of steps of one request changed, all requests of the trace are corrected, because another request can have different
    // steps although their number is unchanged.
    const isWrong = ({ attributesWhole, kindsKnown }: CountedTrace) =>
      moved || !attributesWhole || !kindsKnown;
    for (const each of corrected) if (isWrong(each.request)) wrong.push({ ...each, moved, isSearched });
  }
  const changes = await listChanges(store, wrong);
  if (changes.length > 0) {
    const recounted = changes.filter(({ stepCount }) => stepCount !== undefined);
    const corrected = await changing(recounted.map(findHour));
    await updateRequests(store, changes).finally(corrected);
  }
  return open;
}

async function listChanges(store: TraceStore, wrong: readonly Corrected[]): Promise<RequestChange[]> {
  const searched = new Map(
    wrong.flatMap(({ request, isSearched }) => (isSearched ? [[formatKey(request), request]] : [])),
  );
  const bySpan = await findFacts(store, [...searched.values()]);
  return wrong.flatMap(({ request, stepIds, moved, isSearched }) => {
    const { projectId, id } = request;
    const stepCount = stepIds.length === request.stepCount ? undefined : stepIds.length;
    const facts = isSearched
      ? stepIds.flatMap((spanId) => bySpan.get(`${formatKey(request)} ${spanId}`) ?? [])
      : [];
    const all = isSearched ? mergeAttributes(facts) : 'too many';
    const saysSo = request.attributesWhole ? !moved : all === 'too many';
    const attributes = saysSo ? undefined : all;
    const known = facts.length === stepIds.length ? formatKinds(facts.map(({ kind }) => kind)) : '';
    // Without the data of all steps, `known` is empty. An empty value is written only if the steps have changed, because the kinds in the
    // row are then outdated.
    const kinds = moved || known !== '' ? known : undefined;
    return [stepCount, attributes, kinds].every((change) => change === undefined)
      ? []
      : [{ projectId, id, stepCount, attributes, kinds }];
  });
}

/** Merges the hashes of several spans, without duplicates. */
function mergeAttributes(attributes: readonly AttributeHashes[]): AttributeHashes | 'too many' {
  const names = new Set(attributes.flatMap((each) => each.names));
  const pairs = new Set(attributes.flatMap((each) => each.pairs));
  if (Math.max(names.size, pairs.size) > MAX_ATTRIBUTES) return 'too many';
  return { names: [...names], pairs: [...pairs] };
}

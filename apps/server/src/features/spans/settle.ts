import type { ProjectId } from '../../platform/ids.ts';
import type { Logger } from '../../platform/log.ts';
import type { Stores } from '../../platform/stores.ts';
import {
  type AttributeHashes,
  MOST_ATTRIBUTES,
  type TraceStore,
  timeOfTraceId,
} from '../../platform/trace-store/index.ts';
import { type EndOfChange, hourOfMs, type ProjectHour, textOfKinds } from '../rollups/index.ts';
import { assemble, type SpanLink, topmost } from './assemble.ts';
import {
  type CountedTrace,
  findCounts,
  findFacts,
  type RequestChange,
  updateRequests,
} from './requests-store.ts';
import { idOfSpan } from './span-identity.ts';
import { findLinks, findRecent, keyText, promote, type TraceKey } from './store.ts';

export interface SettleOptions {
  /** How long after the last span of a trace the counts of its requests are corrected. */
  readonly quietMs: number;
  /** How long after its first span a trace without any request gets one: its topmost span. */
  readonly promoteAfterMs: number;
}

export interface SettleDeps {
  readonly store: TraceStore;
  /** Runs what stores traces of some projects while no other server does. */
  readonly alone: Stores['alone'];
  readonly log: Logger;
  readonly claims: RequestClaims;
  /** Told of the hours whose requests are about to be corrected. */
  readonly changing: (hours: readonly ProjectHour[]) => Promise<EndOfChange>;
}

/** Counts requests that are made of spans against the month. */
export interface RequestClaims {
  /** What the request's row is to carry; undefined where the month has no room for it. */
  take(project: ProjectId): Promise<string | undefined>;
  stored(claim: string): void;
  /** Whether its request is stored is not known. */
  failed(claim: string): void;
}

/**
 * Sets right what late spans change: the step counts that lists show, what requests are searched by, and traces whose request never came. What
 * is to be done stands in memory only; after a crash it is found again from the spans that were stored last.
 */
export interface Settling {
  /** Spans of these traces were stored, and what their requests' rows say of steps may be wrong. */
  touched(keys: readonly TraceKey[]): void;
  /** Does all that is due. */
  run(): Promise<void>;
  close(): Promise<void>;
}

interface Touched {
  readonly key: TraceKey;
  readonly firstMs: number;
  readonly lastMs: number;
}

const RECENT = { minutes: 10, traces: 100_000 } as const;
/** Beyond so many traces those that wait longest are done at once. */
const MAX_WAITING = 100_000;
/** So many traces are read at a time: each may have 50,000 spans. */
const CHUNK = 500;

/** Exporters send every few seconds, so the spans of one request come within about a minute. */
const USUAL: SettleOptions = { quietMs: 1500, promoteAfterMs: 60_000 };

export function createSettling(deps: SettleDeps, options: SettleOptions = USUAL): Settling {
  const { claims } = deps;
  /** Those of requests whose making failed, by trace: the next try is no second request. */
  const claimed = new Map<string, string>();
  const waiting = new Map<string, Touched>();
  let running: Promise<void> = Promise.resolve();
  let closed = false;

  const touched = (keys: readonly TraceKey[]) => {
    const nowMs = performance.now();
    for (const key of keys) {
      const name = keyText(key);
      const firstMs = waiting.get(name)?.firstMs ?? nowMs;
      waiting.delete(name);
      waiting.set(name, { key, firstMs, lastMs: nowMs });
    }
  };

  const settle = async () => {
    const nowMs = performance.now();
    const crowded = waiting.size > MAX_WAITING;
    const due = [...waiting.values()].filter(({ lastMs }) => crowded || nowMs - lastMs >= options.quietMs);
    for (let from = 0; from < due.length && !closed; from += CHUNK) {
      const some = due.slice(from, from + CHUNK);
      const rootless = await correct(deps, some);
      for (const trace of some) {
        const name = keyText(trace.key);
        const claim = claimed.get(name);
        if (claim === undefined || rootless.has(trace)) continue;
        // Its request is there after all, or its spans no longer are: what is stored under the claim tells.
        claimed.delete(name);
        claims.failed(claim);
      }
      for (const [trace, links] of rootless) {
        if (!crowded && nowMs - trace.firstMs < options.promoteAfterMs) continue;
        // Its row has none of the attributes yet.
        if (await makeRequest(deps, claimed, trace.key, links)) touched([trace.key]);
      }
      const stillWaiting = new Set(
        [...rootless.keys()].filter(({ firstMs }) => !crowded && nowMs - firstMs < options.promoteAfterMs),
      );
      for (const trace of some) {
        const name = keyText(trace.key);
        // Touched again meanwhile: it stands there for later.
        if (waiting.get(name) === trace && !stillWaiting.has(trace)) waiting.delete(name);
      }
    }
  };
  const run = () => {
    running = running.then(settle).catch((err: unknown) => {
      deps.log.warn({ err }, 'requests of late spans could not be corrected yet');
    });
    return running;
  };
  const recovered = findRecent(deps.store, RECENT.minutes, RECENT.traces).then(touched, (err: unknown) => {
    deps.log.warn({ err }, 'the spans that were stored last could not be looked through');
  });
  const timer = setInterval(() => void (waiting.size > 0 && run()), options.quietMs).unref();
  return {
    touched,
    run,
    async close() {
      closed = true;
      clearInterval(timer);
      await recovered;
      await running;
      for (const claim of claimed.values()) claims.failed(claim);
      claimed.clear();
    },
  };
}

/** A request that its spans say other steps of than its row. */
interface Corrected {
  readonly request: CountedTrace;
  readonly stepIds: readonly string[];
  /** Whether a request of its trace has more steps than its row says, or fewer. */
  readonly moved: boolean;
}

/** Corrects rows; gives back the traces that have no request, with their spans. */
async function correct(
  { store, changing }: SettleDeps,
  traces: readonly Touched[],
): Promise<ReadonlyMap<Touched, readonly SpanLink[]>> {
  const keys = traces.map(({ key }) => key);
  const links = await findLinks(store, keys);
  const counted = Map.groupBy(await findCounts(store, keys), keyText);
  const wrong: Corrected[] = [];
  const rootless = new Map<Touched, readonly SpanLink[]>();
  for (const trace of traces) {
    const name = keyText(trace.key);
    const spans = links.get(name) ?? [];
    const requests = counted.get(name) ?? [];
    if (requests.length === 0 && spans.length > 0) rootless.set(trace, spans);
    const steps = assemble(spans);
    const corrected = requests.map((request) => ({
      request,
      stepIds: (steps.get(request.spanId) ?? []).map(({ spanId }) => spanId),
    }));
    const moved = corrected.some(({ request, stepIds }) => request.stepCount !== stepIds.length);
    // Where one request has other steps now, another one may have as many as before, and not the same.
    const isWrong = ({ attributesWhole, kindsKnown }: CountedTrace) =>
      moved || !attributesWhole || !kindsKnown;
    for (const each of corrected) if (isWrong(each.request)) wrong.push({ ...each, moved });
  }
  const changes = await changesOf(store, wrong);
  if (changes.length > 0) {
    const recounted = changes.filter(({ stepCount }) => stepCount !== undefined);
    const corrected = await changing(recounted.map(hourOf));
    await updateRequests(store, changes).finally(corrected);
  }
  return rootless;
}

/** A request with more is searched in its texts. */
const MOST_STEPS = 5000;

async function changesOf(store: TraceStore, wrong: readonly Corrected[]): Promise<RequestChange[]> {
  const searched = wrong.filter(({ stepIds }) => stepIds.length <= MOST_STEPS);
  const bySpan = await findFacts(
    store,
    searched.map(({ request }) => request),
  );
  return wrong.flatMap(({ request, stepIds, moved }) => {
    const { projectId, id } = request;
    const stepCount = stepIds.length === request.stepCount ? undefined : stepIds.length;
    const facts =
      stepIds.length > MOST_STEPS
        ? []
        : stepIds.flatMap((spanId) => bySpan.get(`${keyText(request)} ${spanId}`) ?? []);
    const all = stepIds.length > MOST_STEPS ? 'too many' : allOf(facts);
    const saysSo = request.attributesWhole ? !moved : all === 'too many';
    const attributes = saysSo ? undefined : all;
    const known = facts.length === stepIds.length ? textOfKinds(facts.map(({ kind }) => kind)) : '';
    // Not known and not to be known is how it stands already.
    const kinds = moved || known !== '' ? known : undefined;
    return [stepCount, attributes, kinds].every((change) => change === undefined)
      ? []
      : [{ projectId, id, stepCount, attributes, kinds }];
  });
}

/** Each once. */
function allOf(attributes: readonly AttributeHashes[]): AttributeHashes | 'too many' {
  const names = new Set(attributes.flatMap((each) => each.names));
  const pairs = new Set(attributes.flatMap((each) => each.pairs));
  if (Math.max(names.size, pairs.size) > MOST_ATTRIBUTES) return 'too many';
  return { names: [...names], pairs: [...pairs] };
}

/** A request that was made of a span has the span's start in its id. */
function hourOf({ projectId, id }: Pick<TraceKey, 'projectId'> & { readonly id: string }): ProjectHour {
  return { projectId, hour: hourOfMs(timeOfTraceId(id)) };
}

/** Whether it was made: not where the month has no room, nor where another server was told of the trace too and was faster. */
function makeRequest(
  deps: SettleDeps,
  claimed: Map<string, string>,
  key: TraceKey,
  links: readonly SpanLink[],
): Promise<boolean> {
  const { claims } = deps;
  return deps.alone([key.projectId], async (store) => {
    const top = links.find(({ entry }) => entry) ?? topmost(links);
    if (top === undefined || (await findCounts(store, [key])).length > 0) return false;
    const name = keyText(key);
    const claim = claimed.get(name) ?? (await claims.take(key.projectId));
    if (claim === undefined) return false;
    claimed.set(name, claim);
    const id = idOfSpan(key, top.spanId, top.startNanos / 1_000_000n);
    const asRequests = links.map((link) => (link.spanId === top.spanId ? { ...link, entry: true } : link));
    const stepCount = assemble(asRequests).get(top.spanId)?.length ?? 0;
    const made = await deps.changing([hourOf({ projectId: key.projectId, id })]);
    await promote(store, key, { spanId: top.spanId, id, stepCount, claim }).finally(made);
    claimed.delete(name);
    claims.stored(claim);
    return true;
  });
}

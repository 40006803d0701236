/** The fields of a span that determine its position in a trace. */
export interface SpanLink {
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentSpanId: string;
  /** True if the span is a request. */
  readonly entry: boolean;
  readonly service: string;
  readonly startNanos: bigint;
}

export interface AssembledStep {
  readonly spanId: string;
  /** Id of the parent step; null if the parent is the request, or is missing. */
  readonly parentStepId: string | null;
}

/**
 * Returns the steps of each request of one distributed trace, in start order, by the request's span id. A span is a step of the nearest
 * request among its ancestors. A span whose ancestors are missing or form a cycle becomes a step of the last request that began before the
 * span, or else of the first request; requests of the span's own service are preferred. Each span gets exactly one position, which depends
 * neither on the order of `links` nor on duplicates. Without a request the map is empty.
 */
export function assemble(links: readonly SpanLink[]): ReadonlyMap<string, readonly AssembledStep[]> {
  const spans = selectDistinct(links);
  const entries = [...spans.values()].filter(({ entry }) => entry).sort(compareStarts);
  const steps = new Map<string, AssembledStep[]>(entries.map(({ spanId }) => [spanId, []]));
  if (entries.length === 0) return steps;
  const placed = [...findPlaces(spans, entries)].flatMap(([spanId, place]) => {
    const span = spans.get(spanId);
    return span === undefined ? [] : [{ span, place }];
  });
  // Many clocks have only millisecond precision. Among spans that start at the same time, callers come first.
  placed.sort(
    (a, b) =>
      compare(a.span.startNanos, b.span.startNanos) ||
      a.place.depth - b.place.depth ||
      compare(a.span.spanId, b.span.spanId),
  );
  for (const { span, place } of placed) {
    steps.get(place.entryId)?.push({ spanId: span.spanId, parentStepId: place.parentStepId });
  }
  return steps;
}

/**
 * Returns the earliest span whose parent is not stored; usually this span received the request. If every span has a stored parent, the
 * parents form a cycle, and the earliest span is returned. Returns undefined if there are no spans.
 */
export function findTopmostSpan(links: readonly SpanLink[]): SpanLink | undefined {
  const spans = selectDistinct(links);
  const inOrder = [...spans.values()].sort(compareStarts);
  return inOrder.find(({ parentSpanId }) => !spans.has(parentSpanId)) ?? inOrder[0];
}

function selectDistinct(links: readonly SpanLink[]): ReadonlyMap<string, SpanLink> {
  const spans = new Map<string, SpanLink>();
  for (const link of links) {
    const known = spans.get(link.spanId);
    if (known === undefined || (link.entry && !known.entry)) spans.set(link.spanId, link);
  }
  return spans;
}

function compareStarts(one: SpanLink, other: SpanLink): number {
  return compare(one.startNanos, other.startNanos) || compare(one.spanId, other.spanId);
}

function compare<T extends bigint | string>(one: T, other: T): number {
  return one < other ? -1 : Number(one > other);
}

interface Place {
  readonly entryId: string;
  readonly parentStepId: string | null;
  /** Number of ancestor steps. */
  readonly depth: number;
}

/**
 * Finds the position of each span that is not a request. Walks up from each span to an ancestor with a known position, without recursion,
 * because chains can have 100,000 spans.
 */
function findPlaces(
  spans: ReadonlyMap<string, SpanLink>,
  entries: readonly SpanLink[],
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const adopter = createAdopter(entries);
  for (const start of spans.values()) {
    const way: SpanLink[] = [];
    const onWay = new Set<string>();
    let at: SpanLink | undefined = start;
    while (at !== undefined && !at.entry && !places.has(at.spanId) && !onWay.has(at.spanId)) {
      way.push(at);
      onWay.add(at.spanId);
      at = spans.get(at.parentSpanId);
    }
    // The span of a cycle that starts first is treated as the topmost span. Spans between the span where the walk began and the cycle stay
    // below the cycle.
    const circle = at !== undefined && onWay.has(at.spanId) ? way.slice(way.indexOf(at)) : [];
    const [top] = circle.toSorted(compareStarts);
    if (top !== undefined) {
      places.set(top.spanId, { entryId: adopter(top), parentStepId: null, depth: 0 });
      for (const span of listDownFrom(top, circle)) placeBelow(span, places);
    } else if (at === undefined) {
      const orphan = way.pop();
      if (orphan !== undefined)
        places.set(orphan.spanId, { entryId: adopter(orphan), parentStepId: null, depth: 0 });
    } else if (at.entry) {
      const first = way.pop();
      if (first !== undefined) places.set(first.spanId, { entryId: at.spanId, parentStepId: null, depth: 0 });
    }
    for (const span of way.reverse()) if (!places.has(span.spanId)) placeBelow(span, places);
  }
  return places;
}

/** Returns the spans of a cycle other than `top`, each after its parent. `circle` lists the spans of the cycle, each before its parent. */
function listDownFrom(top: SpanLink, circle: readonly SpanLink[]): readonly SpanLink[] {
  const at = circle.indexOf(top);
  return [...circle.slice(at + 1), ...circle.slice(0, at)].reverse();
}

function placeBelow(span: SpanLink, places: Map<string, Place>): void {
  const parent = places.get(span.parentSpanId);
  if (parent === undefined) throw new Error('a span was placed before its parent');
  places.set(span.spanId, { ...parent, parentStepId: span.parentSpanId, depth: parent.depth + 1 });
}

/** Builds a function that finds the request for a span whose ancestors are missing. */
function createAdopter(entries: readonly SpanLink[]): (orphan: SpanLink) => string {
  const byService = Map.groupBy(entries, ({ service }) => service);
  return (orphan) => {
    const candidates = byService.get(orphan.service) ?? entries;
    const chosen = candidates[Math.max(0, countBefore(candidates, orphan.startNanos) - 1)];
    if (chosen === undefined) throw new Error('a span has no request to belong to');
    return chosen.spanId;
  };
}

/** Counts the entries that began at or before a time. `entries` must be in start order. */
function countBefore(entries: readonly SpanLink[], startNanos: bigint): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = entries[middle];
    if (entry !== undefined && entry.startNanos <= startNanos) low = middle + 1;
    else high = middle;
  }
  return low;
}

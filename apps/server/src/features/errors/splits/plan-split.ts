/** The requests of an error that failed in one function, or the requests whose function is unknown. */
export interface PlacedError {
  /** The hash of the message and the function: the id of the function's error, unless the function keeps the error that is split. */
  readonly placedId: string;
  readonly isPlaced: boolean;
  /** Start of the first of these requests, in epoch µs. */
  readonly firstMicros: bigint;
}

export interface PlannedSplit {
  readonly firstId: string;
  readonly knownMicros: { readonly since: bigint; readonly until: bigint } | null;
  /** The errors of all functions except the first, each with the start of the function's first request. */
  readonly others: readonly { readonly placedId: string; readonly firstMicros: bigint }[];
  /** Start of the first request whose function is known. */
  readonly placedMicros: bigint;
}

const DAY_MICROS = 86_400_000_000n;

/**
 * Plans how an error whose message is thrown by several functions is split. The function that failed first keeps the error with its id, so
 * that links and decisions stay valid.
 *
 * If the error has requests from before functions were recorded, it is unknown which functions threw them. The split then waits until a day
 * after the first request with a known function. The errors of all functions that threw within this day count as old, not as new.
 */
export function planSplit(requests: readonly PlacedError[], nowMicros: bigint): PlannedSplit | undefined {
  const byTime = requests.toSorted((a, b) => (a.firstMicros < b.firstMicros ? -1 : 1));
  const [owner, ...others] = byTime.filter(({ isPlaced }) => isPlaced);
  const [first] = byTime;
  if (owner === undefined || first === undefined || others.length === 0) return undefined;
  const plan = { firstId: owner.placedId, placedMicros: owner.firstMicros, others };
  if (first.isPlaced) return { ...plan, knownMicros: null };
  if (isTooEarly(owner.firstMicros, first.firstMicros, nowMicros)) return undefined;
  return { ...plan, knownMicros: { since: first.firstMicros, until: owner.firstMicros + DAY_MICROS } };
}

/**
 * Lists the errors that keep the decision about a split error: the errors of the functions that had failed before the decision. If the
 * error or the decision is older than the first request with a known function, the errors of all functions that failed within a day of that
 * request keep the decision, too.
 */
export function listHeirs(
  { others, placedMicros, knownMicros }: PlannedSplit,
  decidedMicros: bigint,
): string[] {
  const isOlder = knownMicros !== null || decidedMicros < placedMicros;
  const dayEnd = placedMicros + DAY_MICROS;
  const until = isOlder && decidedMicros < dayEnd ? dayEnd : decidedMicros;
  return others.filter(({ firstMicros }) => firstMicros < until).map(({ placedId }) => placedId);
}

/**
 * True if the split must wait: the error was seen before its first request with a known function, and that request is less than a day old.
 */
export function isTooEarly(firstPlaced: bigint, first: bigint, nowMicros: bigint): boolean {
  return first < firstPlaced && nowMicros < firstPlaced + DAY_MICROS;
}

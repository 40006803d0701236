/** The requests of an error that failed in one function, or those whose function is unknown. */
export interface PlacedError {
  /** The id that the function's error would have. */
  readonly placedId: string;
  readonly isPlaced: boolean;
  /** Start of the first of these requests, in epoch µs. */
  readonly firstMicros: bigint;
}

export interface PlannedSplit {
  readonly firstId: string;
  readonly knownMicros: { readonly since: bigint; readonly until: bigint } | null;
  /** The errors of functions that keep the state, note and assignee of the error that is split. */
  readonly heirs: readonly string[];
}

const DAY_MICROS = 86_400_000_000n;

/**
 * Plans how an error whose message is thrown by several functions is split. The first known function keeps the error with its id, so that
 * links and decisions stay valid.
 *
 * If the error has requests from before functions were known, other functions probably had the error at that time, too. Their errors are
 * then not new, and keep the decisions about the error. Which functions these are, is known after a day: the error is split then.
 */
export function planSplit(requests: readonly PlacedError[], nowMicros: bigint): PlannedSplit | undefined {
  const byTime = requests.toSorted((a, b) => (a.firstMicros < b.firstMicros ? -1 : 1));
  const [owner, ...others] = byTime.filter(({ isPlaced }) => isPlaced);
  const [first] = byTime;
  if (owner === undefined || first === undefined || others.length === 0) return undefined;
  if (first.isPlaced) return { firstId: owner.placedId, knownMicros: null, heirs: [] };
  if (isTooEarly(owner.firstMicros, first.firstMicros, nowMicros)) return undefined;
  const until = owner.firstMicros + DAY_MICROS;
  return {
    firstId: owner.placedId,
    knownMicros: { since: first.firstMicros, until },
    heirs: others.filter(({ firstMicros }) => firstMicros < until).map(({ placedId }) => placedId),
  };
}

/** True on the first day on which functions are known, if the error was seen before. */
export function isTooEarly(firstPlaced: bigint, first: bigint, nowMicros: bigint): boolean {
  return first < firstPlaced && nowMicros < firstPlaced + DAY_MICROS;
}

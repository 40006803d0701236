import type { SharedProperty } from '@throughline/contract';

interface CountedValue {
  readonly field: SharedProperty['field'];
  readonly value: string;
  readonly inside: number;
  readonly outside: number;
}

const MAX_SHARED = 5;
/** The least share of the failing requests that a value must have. */
const MIN_INSIDE = 0.5;
/** The least difference between both shares. */
const MIN_DIFFERENCE = 0.2;
/** Fewer requests on either side tell nothing. */
const MIN_REQUESTS = 3;

/** Chooses the values that most failing requests have and successful ones do not, the greatest difference first; of each property one. */
export function chooseShared(
  values: readonly CountedValue[],
  compared: { readonly inside: number; readonly outside: number },
): SharedProperty[] {
  if (compared.inside < MIN_REQUESTS || compared.outside < MIN_REQUESTS) return [];
  const shares = values
    .map(({ field, value, inside, outside }) => ({
      field,
      value,
      inside: inside / compared.inside,
      outside: outside / compared.outside,
    }))
    .filter(({ inside, outside }) => inside >= MIN_INSIDE && inside - outside >= MIN_DIFFERENCE)
    .toSorted((a, b) => b.inside - b.outside - (a.inside - a.outside));
  const ofField = new Map<string, SharedProperty>();
  for (const share of shares) if (!ofField.has(share.field)) ofField.set(share.field, share);
  return [...ofField.values()].slice(0, MAX_SHARED);
}

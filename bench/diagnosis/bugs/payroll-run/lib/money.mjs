export function formatEuro(cents) {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not an amount: ${cents}`);
  return `${(cents / 100).toFixed(2)} EUR`;
}

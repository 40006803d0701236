const STANDARD_RATE = 0.23;

/** VAT in cents for the net amount in cents. */
export function vatOn(netCents, client) {
  const rate = client.vatRate || STANDARD_RATE;
  return Math.round(netCents * rate);
}

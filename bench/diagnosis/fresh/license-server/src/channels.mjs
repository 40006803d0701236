const DAY_MS = 86_400_000;

/** Sold on our own site: the licence is good until the end of the day in UTC. */
export function fromDirect(row) {
  return { channel: 'direct', expiresAt: Date.parse(row.expires) + DAY_MS - 1, renewable: true };
}

/** Sold in the app stores, which tell the time of the end. */
export function fromStore(row) {
  return { channel: 'store', expiresAt: row.valid_until, renewable: true };
}

/** Sold by partners. Without an end, the licence is perpetual. */
export function fromReseller(row) {
  const expiresAt = row.valid_until;
  return { channel: 'reseller', expiresAt, renewable: false };
}

export const readers = { direct: fromDirect, store: fromStore, reseller: fromReseller };

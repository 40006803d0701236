const ORDER = /\b(?:order|ref\.?|#)\s*(RX-\d{6})\b/gi;
const MAX_ORDERS = 3;

/** The orders that a mail names. Mails of traders can list hundreds; the first three are enough for routing. */
export function findOrders(text) {
  const found = [];
  let match = ORDER.exec(text);
  while (match !== null) {
    const order = match[1].toUpperCase();
    if (!found.includes(order)) found.push(order);
    if (found.length === MAX_ORDERS) break;
    match = ORDER.exec(text);
  }
  const [primary = null, ...others] = found;
  return { primary, others };
}

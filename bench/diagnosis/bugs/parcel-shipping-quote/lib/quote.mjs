import { loadZone, billableWeight, isOversized } from './tariffs.mjs';

const OVERSIZE_FEE = 15;

export function shipsFree(customer, goodsValue, oversized) {
  const free = customer.contract || goodsValue >= 200 && !oversized;
  return free;
}

function round(amount) {
  return Math.round(amount * 100) / 100;
}

export async function quoteParcel({ customer, zone, goodsValue, parcel }) {
  const tariff = await loadZone(zone);
  if (!tariff) return null;
  const oversized = isOversized(parcel);
  const kg = billableWeight(parcel);
  let price = tariff.base + kg * tariff.perKg;
  if (oversized) price += OVERSIZE_FEE;
  const free = shipsFree(customer, goodsValue, oversized);
  return { zone, kg, oversized, price: free ? 0 : round(price) };
}

import { preferentialRate, thirdCountryRate } from './tariff.mjs';

const VAT = { NL: 0.21, DE: 0.19, BE: 0.21 };

export function customsValue(goods) {
  return goods.reduce((sum, { valueCents, freightCents = 0 }) => sum + valueCents + freightCents, 0);
}

function lineDuty({ valueCents, freightCents = 0 }, rate) {
  return Math.round((valueCents + freightCents) * rate);
}

async function assessDuty(goods) {
  let owed = 0;
  goods.forEach(async (item) => {
    let rate = preferentialRate(item.origin);
    if (rate === undefined) rate = await thirdCountryRate(item.commodity, item.origin);
    owed += lineDuty(item, rate);
  });
  return owed;
}

export function importVat(value, duty, country) {
  return Math.round((value + duty) * VAT[country]);
}

function statisticalMass(goods) {
  return Math.ceil(goods.reduce((sum, { kg }) => sum + kg, 0));
}

export async function declare(goods, importer) {
  const valueCents = customsValue(goods);
  const dutyCents = await assessDuty(goods);
  const vatCents = importVat(valueCents, dutyCents, importer.country);
  return { lines: goods.length, massKg: statisticalMass(goods), valueCents, dutyCents, vatCents, payableCents: dutyCents + vatCents };
}

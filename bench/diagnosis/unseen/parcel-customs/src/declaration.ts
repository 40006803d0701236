import { articleOf } from './articles.ts';
import { type Country, countryOf, currencyOf } from './countries.ts';
import { formatMoney, rateOf } from './money.ts';

export interface Order {
  to: string;
  lines: { sku: string; quantity: number }[];
}

function taxesFor(country: Country, euros: number) {
  const duty = euros > country.dutyFreeEuros ? euros * 0.04 : 0;
  const vat = ((euros + duty) * country.vatPercent) / 100;
  return { duty, vat };
}

export async function declare({ to, lines }: Order) {
  const country = countryOf(to);
  const contents = await Promise.all(
    lines.map(async ({ sku, quantity }) => ({ article: await articleOf(sku), quantity })),
  );
  const euros = contents.reduce((sum, { article, quantity }) => sum + article.euros * quantity, 0);
  const grams = contents.reduce((sum, { article, quantity }) => sum + article.grams * quantity, 0);
  const { duty, vat } = taxesFor(country, euros);
  const currency = currencyOf(country.code);
  const rate = await rateOf(currency);
  return {
    destination: country.name,
    form: grams > 2000 ? 'CN23' : 'CN22',
    contents: contents.map(({ article, quantity }) => `${quantity} × ${article.text} (${article.tariffNumber})`),
    value: formatMoney(euros * rate, currency),
    duty: formatMoney(duty * rate, currency),
    vat: formatMoney(vat * rate, currency),
  };
}

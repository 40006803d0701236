import { rateOf } from './exchange-rates.ts';
import type { Invoice, Line } from './invoices.ts';

const percentOf: Record<string, number> = {
  '0902': 3.2,
  '2710': 4.7,
  '6912': 5,
  '8306': 2.2,
  '8516': 2.7,
  '9113': 6,
};

async function valueInEuros({ currency, amount }: Line): Promise<number> {
  const rate = await rateOf(currency, new Date());
  return amount / rate;
}

function dutyOf(heading: string, value: number): number {
  return (value * (percentOf[heading] ?? 0)) / 100;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

export async function assessDuty({ id, importer, lines }: Invoice) {
  let value = 0;
  let duty = 0;
  for (const line of lines) {
    const euros = await valueInEuros(line);
    value += euros;
    duty += dutyOf(line.heading, euros);
  }
  const vat = (value + duty) * 0.19;
  return { id, importer, value: rounded(value), duty: rounded(duty), vat: rounded(vat) };
}

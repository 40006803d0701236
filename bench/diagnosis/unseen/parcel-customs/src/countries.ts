export interface Country {
  code: string;
  name: string;
  vatPercent: number;
  dutyFreeEuros: number;
}

const countries: Country[] = [
  { code: 'CH', name: 'Switzerland', vatPercent: 8.1, dutyFreeEuros: 65 },
  { code: 'GB', name: 'United Kingdom', vatPercent: 20, dutyFreeEuros: 155 },
  { code: 'IE', name: 'Ireland', vatPercent: 23, dutyFreeEuros: 0 },
  { code: 'NO', name: 'Norway', vatPercent: 25, dutyFreeEuros: 30 },
  { code: 'PL', name: 'Poland', vatPercent: 23, dutyFreeEuros: 0 },
  { code: 'SE', name: 'Sweden', vatPercent: 25, dutyFreeEuros: 0 },
  { code: 'US', name: 'United States', vatPercent: 0, dutyFreeEuros: 720 },
];

const currencies: Record<string, string> = {
  CH: 'CHF',
  GB: 'GBP',
  IE: 'EUR',
  PL: 'PLN',
  SE: 'SEK',
  US: 'USD',
};

export function countryOf(code: string): Country {
  const country = countries.find((one) => one.code === code);
  if (!country) throw Object.assign(new Error(`we do not ship to ${code}`), { status: 404 });
  return country;
}

export function currencyOf(code: string): string {
  return currencies[code] as string;
}

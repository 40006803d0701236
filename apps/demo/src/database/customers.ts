/** A customer in the shop's initial data. */
export interface SeedCustomer {
  readonly name: string;
  readonly email: string;
  /** Country as the customer entered it, or as in the imported file. */
  readonly country: string;
  readonly loyaltyTier: 'none' | 'silver' | 'gold';
  /** `old-shop` if the customer was imported from the file of that shop, which this shop took over; null for other customers. */
  readonly importedFrom: 'old-shop' | null;
}

/** The password of every demo customer. */
export const SEED_PASSWORD = 'correct horse battery';

const FIRST_NAMES = ['Ada', 'Björn', 'Chloé', 'Dmitri', 'Eoin', 'Fatima', 'Grace', 'Hüseyin'];
const LAST_NAMES = ['Okafor', 'Müller', 'Nakamura', "O'Brien", 'Świątek'];
const COUNTRIES = ['DE', 'FR', 'GB', 'NL', 'IE', 'SE', 'PL', 'ES', 'IT', 'AT'];
const TIERS = ['none', 'silver', 'none', 'gold', 'none'] as const;

/** The old shop's file uses the country "UK", where this shop uses the ISO 3166 code "GB". */
const IMPORTED = { country: 'UK', importedFrom: 'old-shop' } as const;

/** Forty customers. One in eight was imported from the old shop. */
export const SEED_CUSTOMERS: readonly SeedCustomer[] = LAST_NAMES.flatMap((lastName, row) =>
  FIRST_NAMES.map((firstName, column) => ({
    name: `${firstName} ${lastName}`,
    email: `${toPlainLetters(firstName)}.${toPlainLetters(lastName)}@example.com`,
    loyaltyTier: TIERS[(row + column) % TIERS.length] ?? 'none',
    country: COUNTRIES[(row * FIRST_NAMES.length + column) % COUNTRIES.length] ?? 'DE',
    importedFrom: null,
    ...(column === (row * 3 + 4) % FIRST_NAMES.length ? IMPORTED : {}),
  })),
);

function toPlainLetters(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');
}

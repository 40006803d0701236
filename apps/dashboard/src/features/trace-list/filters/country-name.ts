const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });

/** Returns a country's name for its ISO 3166-1 alpha-2 code; ZZ means unknown. */
export function formatCountry(code: string): string {
  return code === 'ZZ' ? 'not known' : (COUNTRIES.of(code) ?? code);
}

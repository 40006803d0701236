const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });

/** A country by its code (ISO 3166-1, two letters); ZZ stands for one that nobody knows. */
export function countryName(code: string): string {
  return code === 'ZZ' ? 'not known' : (COUNTRIES.of(code) ?? code);
}

/** The visitors of the demo workspace: thirty customers, three countries. The recorded history and live requests share them. */
import { SEED_CUSTOMERS, type SeedCustomer } from '../database/customers.ts';
import { pick, type Random } from '../random.ts';

const COUNTRIES = ['GB', 'DE', 'FR'];

/** Thirty customers: four that were imported, and 26 of the shop's own. */
const IMPORTED = SEED_CUSTOMERS.filter(({ importedFrom }) => importedFrom !== null).slice(0, 4);
const OWN = SEED_CUSTOMERS.filter(({ importedFrom }) => importedFrom === null).slice(0, 26);
/** Customers by release. The old shop's customers were imported with release 1.5.0. */
export const CUSTOMERS = { '1.4.0': OWN, '1.5.0': mixIn(OWN, IMPORTED) } as const;

/** Spreads the imported customers evenly among the shop's own customers. */
function mixIn(own: readonly SeedCustomer[], imported: readonly SeedCustomer[]): SeedCustomer[] {
  const every = Math.ceil(own.length / imported.length);
  return own.flatMap((customer, at) => [
    ...(at % every === 0 ? imported.slice(at / every, at / every + 1) : []),
    customer,
  ]);
}

/** Chooses the country of a visitor. A customer always has the same country. */
export function chooseCountry(customer: SeedCustomer | undefined, random: Random): string {
  if (customer === undefined) return pick(random, COUNTRIES);
  return COUNTRIES[SEED_CUSTOMERS.indexOf(customer) % COUNTRIES.length] ?? 'GB';
}

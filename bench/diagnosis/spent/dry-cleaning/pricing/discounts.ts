import type { Customer } from '../customers/customers.ts';
import type { Promotion } from './promotions.ts';

const MAX_PERCENT = 25;

/** Returns the discount that was agreed with the customer plus the discount of the promotion. */
export function discountPercent({ agreement }: Customer, promotion: Promotion | undefined): number {
  const percent = agreement?.percent ?? 0 + (promotion?.percent ?? 0);
  return Math.min(percent, MAX_PERCENT);
}

export function discountLabels({ agreement }: Customer, promotion: Promotion | undefined): string[] {
  const labels = [agreement && `Agreement since ${agreement.since.slice(0, 4)}`, promotion?.name];
  return labels.filter((label) => typeof label === 'string');
}

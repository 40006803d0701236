import type { Customer } from '../accounts/customer.ts';
import type { Database } from '../database/database.ts';
import { Refusal } from '../refusal.ts';

export interface Discount {
  readonly percent: number;
  readonly cents: number;
  readonly reasons: readonly string[];
}

const LOYALTY_PERCENT: Readonly<Record<string, number>> = { silver: 3, gold: 5 };
const MAX_PERCENT = 20;

/** Calculates the loyalty and coupon discount on the sum of the order's lines. Rejects an unknown coupon (400). */
export async function applyDiscounts(
  database: Database,
  customer: Customer,
  sumCents: number,
  coupon: string | undefined,
): Promise<Discount> {
  const loyalty = LOYALTY_PERCENT[customer.loyaltyTier] ?? 0;
  const couponPercent = coupon === undefined ? 0 : await percentOfCoupon(database, coupon);
  const percent = Math.min(loyalty + couponPercent, MAX_PERCENT);
  const reasons = [
    ...(loyalty > 0 ? [`${customer.loyaltyTier} customer`] : []),
    ...(coupon === undefined ? [] : [`coupon ${coupon}`]),
  ];
  return { percent, cents: Math.round((sumCents * percent) / 100), reasons };
}

async function percentOfCoupon(database: Database, code: string): Promise<number> {
  const [coupon] = await database.query<{ percent: number }>(
    'SELECT percent FROM coupons WHERE code = $1',
    code,
  );
  if (coupon === undefined) throw new Refusal(400, `There is no coupon ${code}`);
  return coupon.percent;
}

import type { Database } from '../database/database.ts';

export interface DaySales {
  /** Number of days before today; 0 is today. */
  readonly daysAgo: number;
  readonly orders: number;
  readonly totalCents: number;
}

/**
 * Returns the sales of each day, the latest day first. Queries the database once per day, which is fast for a week but slow for a season.
 */
export async function salesReport(database: Database, days: number): Promise<DaySales[]> {
  const report: DaySales[] = [];
  for (let daysAgo = 0; daysAgo < days; daysAgo += 1) {
    report.push(await salesOfDay(database, daysAgo));
  }
  return report;
}

async function salesOfDay(database: Database, daysAgo: number): Promise<DaySales> {
  const [day] = await database.query<{ orders: number; totalCents: number }>(
    `SELECT count(*)::int AS orders, coalesce(sum(total_cents), 0)::int AS "totalCents" FROM orders
     WHERE placed_at::date = (now() - $1::int * interval '1 day')::date`,
    daysAgo,
  );
  return { daysAgo, orders: day?.orders ?? 0, totalCents: day?.totalCents ?? 0 };
}

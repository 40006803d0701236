import { timestamp } from 'drizzle-orm/pg-core';

/** A column with an instant: in UTC, to the microsecond, read as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

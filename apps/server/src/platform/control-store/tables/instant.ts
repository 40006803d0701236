import { timestamp } from 'drizzle-orm/pg-core';

/** Defines a column that stores a time in UTC, to the microsecond, and is read as a Date. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 6, mode: 'date' });

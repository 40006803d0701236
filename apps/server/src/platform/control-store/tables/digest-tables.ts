import { boolean, date, index, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core';
import type { UserId } from '../../ids.ts';
import { instant } from './instant.ts';
import { users } from './schema.ts';

/** Users who changed whether they get the weekly digest. Users without a row get it. */
export const digestChoices = pgTable('digest_choices', {
  userId: uuid('user_id')
    .$type<UserId>()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  isOn: boolean('is_on').notNull(),
  changedAt: instant('changed_at').notNull(),
});

/** Users whose digest of a week was handled. A row is written in the transaction that queues the mail, so that no server sends it again. */
export const digestWeeks = pgTable(
  'digest_weeks',
  {
    userId: uuid('user_id')
      .$type<UserId>()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The Monday on which the week ends. */
    week: date('week', { mode: 'string' }).notNull(),
    /** False if nothing was sent, because no project had a request. */
    isSent: boolean('is_sent').notNull(),
    handledAt: instant('handled_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.week] }), index('digest_weeks_week').on(table.week)],
);

import { z } from 'zod';
import { defineRoute } from '../http/route.ts';
import { Instant } from '../instants/instants.ts';
import { Order, RowSearch } from '../limits/row-lists.ts';

/** For each action in an organization's audit log, the words that follow the user's name in the log. */
export const AUDIT_ACTIONS = {
  'organization.created': 'created the organization',
  'organization.updated': 'changed the organization',
  'organization.ownership_transferred': 'transferred the ownership to',
  'member.invited': 'invited',
  'member.invitation_resent': 'sent the invitation again to',
  'member.invitation_revoked': 'revoked the invitation to',
  'member.joined': 'joined',
  'member.role_changed': 'changed the role of',
  'member.removed': 'removed',
  'member.left': 'left',
  'member.signed_in': 'signed in',
  'member.confirmed': 'confirmed their identity',
  'member.confirmation_failed': 'failed to confirm their identity',
  'member.email_change_requested': 'requested a change of their email address to',
  'member.email_change_cancelled': 'cancelled the change of their email address to',
  'member.email_changed': 'changed their email address',
  'member.password_changed': 'changed their password',
  'member.two_factor_enabled': 'turned two-factor authentication on',
  'member.two_factor_disabled': 'turned two-factor authentication off',
  'member.access_token_created': 'created the access token',
  'member.access_token_revoked': 'revoked the access token',
  'member.backup_codes_renewed': 'created new backup codes',
  'project.created': 'created the project',
  'project.updated': 'changed the project',
  'project.published': 'allowed public access, with masked values, to the project',
  'project.unpublished': 'ended public access to the project',
  'project.deleted': 'deleted the project',
  'project.key_regenerated': 'regenerated the API key of the project',
  'project.trace_shared': 'created a link to a trace of the project',
  'project.share_link_revoked': 'revoked a link to a trace of the project',
  'project.alert_created': 'created an alert of the project',
  'project.alert_changed': 'changed an alert of the project',
  'project.alert_deleted': 'deleted an alert of the project',
  'project.error_resolved': 'resolved an error of the project',
  'project.error_ignored': 'ignored an error of the project',
  'project.error_reopened': 'reopened an error of the project',
  'project.error_noted': 'changed the note on an error of the project',
  'project.error_assigned': 'assigned an error of the project',
  'project.error_unassigned': 'removed the assignee of an error of the project',
  'project.errors_merged': 'merged errors of the project',
  'project.error_split_off': 'split off a merged error of the project',
  'project.view_shared': 'shared a view of the project',
  'project.view_changed': 'changed a shared view of the project',
  'project.view_deleted': 'deleted a shared view of the project',
  'project.trace_deleted': 'deleted a trace of the project',
  'project.traces_deleted': 'deleted all traces of the project',
  'project.user_erased': 'erased all data of a user from the project',
  'project.data_gone': 'permanently removed deleted data of the project',
  'subscription.plan_changed': 'changed the plan from',
  'subscription.change_scheduled': 'scheduled a change to the plan',
  'subscription.cancelled': 'cancelled the subscription to',
  'subscription.reactivated': 'reactivated the subscription to',
  'subscription.renewed': 'renewed the subscription to',
  'subscription.payment_failed': 'could not collect the payment for',
  'subscription.payment_recovered': 'received the overdue payment for',
  'subscription.ended': 'ended the subscription to',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** Columns by which the audit log can be sorted. Entries with equal values are sorted by time, newest first. */
export const AUDIT_SORTS = ['time', 'user', 'action', 'address'] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];

/** The name that the log shows for actions of the server. */
export const SERVER_ACTOR = 'Throughline';

/** Number of days that an entry is stored. */
export const AUDIT_DAYS = 90;

export const AuditEntry = z.object({
  id: z.uuid(),
  at: Instant,
  action: z.enum(Object.keys(AUDIT_ACTIONS) as [AuditAction, ...AuditAction[]]),
  /** The user who acted, with the name at the time of the action; null if the server acted. */
  actor: z.object({ name: z.string(), email: z.string() }).nullable(),
  /** Target of the action, such as an email address, a project's name or a plan. */
  target: z.string().nullable(),
  /** Network address from which the user acted. */
  address: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const auditRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/api/organizations/:id/audit',
    summary:
      "An organization's audit log for the last 90 days, sorted by time, newest first, unless `sort` and `order` are set. A search finds entries by the user, the words of the action, its target and the address. A cursor is only valid with the `sort`, `order` and `search` of its page",
    access: { by: 'session', action: 'audit.read', on: 'organization' },
    params: z.object({ id: z.string() }),
    query: z.object({
      cursor: z.string().optional(),
      sort: z.enum(AUDIT_SORTS, `sort must be one of ${AUDIT_SORTS.join(', ')}`).default('time'),
      order: Order.default('descending'),
      search: RowSearch.optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() }),
    errors: ['validation_failed', 'forbidden', 'not_found'],
  }),
};

/** Whom a limit counts by. */
export type MailParty = 'recipient' | 'sender' | 'organization';

export interface MailLimit {
  readonly per: MailParty;
  readonly max: number;
  readonly hours: number;
}

export interface LimitedMail {
  /** More than one of it, as messages name it. */
  readonly plural: string;
  /** How a mail above the limit is treated. */
  readonly above: 'refused' | 'left out';
  readonly limits: readonly MailLimit[];
}

/**
 * Limits on mails that a user can cause to be sent to somebody else's address. Mails above a limit are left out silently: an answer would reveal who
 * has an account.
 */
export const MAIL_LIMITS = {
  /** Also one that is sent again. */
  invitation: {
    plural: 'invitations',
    above: 'refused',
    limits: [
      { per: 'recipient', max: 5, hours: 24 },
      { per: 'sender', max: 60, hours: 24 },
      { per: 'organization', max: 100, hours: 24 },
    ],
  },
  /** A link that confirms an address. */
  verification: {
    plural: 'confirmation links',
    above: 'refused',
    limits: [
      { per: 'recipient', max: 5, hours: 24 },
      { per: 'sender', max: 10, hours: 24 },
    ],
  },
  passwordReset: {
    plural: 'password links',
    above: 'left out',
    limits: [
      { per: 'recipient', max: 3, hours: 1 },
      { per: 'recipient', max: 10, hours: 24 },
    ],
  },
  /** News of an account, such as a login from a new device, to an address that was never confirmed. */
  notice: {
    plural: 'notices',
    above: 'left out',
    limits: [{ per: 'recipient', max: 10, hours: 24 }],
  },
} as const satisfies Record<string, LimitedMail>;

export type MailKind = keyof typeof MAIL_LIMITS;

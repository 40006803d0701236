/** The party whose mails a limit counts: the recipient, the user who causes the mails, or this user's organization. */
export type MailParty = 'recipient' | 'sender' | 'organization';

export interface MailLimit {
  readonly per: MailParty;
  readonly max: number;
  readonly hours: number;
}

export interface LimitedMail {
  /** Plural name of this kind of mail, for messages. */
  readonly plural: string;
  /** `refused`: a mail above the limit causes an error. `left out`: the mail is not sent, without an error. */
  readonly above: 'refused' | 'left out';
  readonly limits: readonly MailLimit[];
}

/**
 * Limits on mails that a user can cause to be sent to the address of another person. If an error would reveal who has an account, mails
 * above the limit are silently left out.
 */
export const MAIL_LIMITS = {
  /** Counts new invitations, and invitations that are sent again. */
  invitation: {
    plural: 'invitations',
    above: 'refused',
    limits: [
      { per: 'recipient', max: 5, hours: 24 },
      { per: 'sender', max: 60, hours: 24 },
      { per: 'organization', max: 100, hours: 24 },
    ],
  },
  /** A link to confirm an address. */
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
  /** Account notices, such as a login from a new device, to an unconfirmed address. */
  notice: {
    plural: 'notices',
    above: 'left out',
    limits: [{ per: 'recipient', max: 10, hours: 24 }],
  },
} as const satisfies Record<string, LimitedMail>;

export type MailKind = keyof typeof MAIL_LIMITS;

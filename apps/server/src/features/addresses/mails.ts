import { EMAIL_LINK_HOURS } from '@throughline/contract';
import type { Mail } from '../../platform/mail/index.ts';
import type { AddressRow } from './store.ts';

/**
 * Builds the mail with the link that confirms an address. The address can belong to a stranger, so the mail contains nothing that the
 * account's user typed, such as a name.
 */
export function linkMail(given: {
  readonly to: string;
  readonly url: string;
  readonly isNew: boolean;
}): Mail {
  const { to, url, isNew } = given;
  return {
    to,
    subject: isNew ? 'Confirm your new Throughline email address' : 'Confirm your Throughline email address',
    paragraphs: [
      'Hello,',
      isNew
        ? 'Somebody (hopefully you) wants to use this address for a Throughline account. It becomes active once you confirm it.'
        : 'Somebody (hopefully you) registered a Throughline account with this address. Confirm that the address is yours.',
    ],
    action: { label: 'Confirm this address', url },
    note: `The link works for ${EMAIL_LINK_HOURS} hours. If this was not you, ignore this email: the address then stays unconfirmed.`,
  };
}

/** Builds the mail to the old address when a change is requested. */
export function changeNotice(user: AddressRow, email: string): Mail {
  return {
    to: user.email,
    name: user.name,
    subject: 'A change of your Throughline email address was requested',
    paragraphs: [
      `Somebody (hopefully you) wants to change the address of your account to ${email}.`,
      'Your address does not change until the link in the email to the new address is opened.',
    ],
    note: 'If this was not you, change your password. This cancels the new email address and ends all other sessions.',
  };
}

/** Builds the mail to the old address when the new address is confirmed. */
export function buildChangedNotice(user: AddressRow, email: string): Mail {
  return {
    to: user.email,
    name: user.name,
    subject: 'Your Throughline email address was changed',
    paragraphs: [`Your account now has the email address ${email}.`],
    note: 'If this was not you, contact the operator of this server.',
  };
}

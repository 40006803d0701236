import type { Page } from '@playwright/test';

/** The user that sees the dialog: a solo user with traces, or the owner of an organization with a member and a pending invitation. */
export type DialogOwner = 'solo' | 'owner';

/** A dialog, menu or popover, and the steps that open it. */
export interface DialogRow {
  readonly name: string;
  readonly owner: DialogOwner;
  /** Path below apps/dashboard/src of the file that renders the dialog. */
  readonly file: string;
  readonly open: (page: Page, people: DialogPeople) => Promise<void>;
  /** Set if its ARIA role is not `dialog`. */
  readonly role?: 'menu';
  /** How to confirm the change that the dialog offers. */
  readonly confirm?: Confirm;
}

export interface Confirm {
  readonly fill?: (page: Page) => Promise<void>;
  readonly button: string | RegExp;
  /** How the message of a failure begins: it names the action. Empty where the specification prescribes the server's message alone. */
  readonly failure: string;
  /** True if no other dialog can be tested after this one, because nothing can be changed any more. */
  readonly isLast?: true;
}

export interface DialogPeople {
  readonly member: string;
  readonly invited: string;
}

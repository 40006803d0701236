import type { Page } from '@playwright/test';

/**
 * The user who sees the dialog: a solo user with traces, or the owner of an organization that has another member and a pending invitation.
 */
export type DialogOwner = 'solo' | 'owner';

/** A dialog, menu or popover, and the steps that open it. */
export interface DialogRow {
  readonly name: string;
  readonly owner: DialogOwner;
  /** Path, below apps/dashboard/src, of the file that renders the dialog. */
  readonly file: string;
  readonly open: (page: Page, people: DialogPeople) => Promise<void>;
  /** ARIA role of the dialog, if it is not `dialog`. */
  readonly role?: 'menu';
  /** How to confirm the change that the dialog offers. */
  readonly confirm?: Confirm;
}

export interface Confirm {
  readonly fill?: (page: Page) => Promise<void>;
  readonly button: string | RegExp;
  /**
   * Text before the server's message if the change fails, such as `The view could not be renamed.` Empty if only the server's message is
   * shown.
   */
  readonly failure: string;
  /**
   * True if no other dialog can be tested after this change, because the change removes data that the other dialogs need, such as the
   * project.
   */
  readonly isLast?: true;
}

export interface DialogPeople {
  readonly member: string;
  readonly invited: string;
}

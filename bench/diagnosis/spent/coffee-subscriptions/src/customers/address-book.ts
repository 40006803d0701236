import { setTimeout as wait } from 'node:timers/promises';

interface Recipient {
  name: string;
  country: string;
}

/** Recipients of gifts. They have no account, so the shop's delivery partner keeps their addresses. */
export class AddressBook {
  readonly #recipients = new Map<string, Recipient>([
    ['r-71', { name: 'Marit Vos', country: 'NL' }],
    ['r-72', { name: 'Elena Rossi', country: 'IT' }],
  ]);

  async countryOf(recipientId: string): Promise<string> {
    await wait(6);
    const recipient = this.#recipients.get(recipientId);
    if (!recipient) throw Object.assign(new Error('unknown recipient'), { status: 404 });
    return recipient.country;
  }
}

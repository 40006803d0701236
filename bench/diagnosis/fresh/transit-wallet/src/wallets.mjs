const OPENING = { 'TW-20418': 1150, 'TW-20977': 0, 'TW-31002': 2480, 'TW-44120': 320, 'TW-51873': 1150 };

export class Wallets {
  #accounts = new Map(Object.entries(OPENING).map(([id, cents]) => [id, { balanceCents: cents, entries: [] }]));

  credit(id, amountCents, reference) {
    const account = this.find(id);
    const balance = account.balanceCents + amountCents;
    account.balanceCents = balance;
    account.entries.push({ reference, amountCents, bookedAt: new Date().toISOString() });
    return balance;
  }

  find(id) {
    const account = this.#accounts.get(id);
    if (!account) throw Object.assign(new Error('unknown wallet'), { status: 404 });
    return account;
  }

  statement(id) {
    const { balanceCents, entries } = this.find(id);
    return { wallet: id, balanceCents, last: entries.slice(-5) };
  }
}

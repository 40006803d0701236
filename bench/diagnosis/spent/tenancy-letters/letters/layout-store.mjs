import { setTimeout as wait } from 'node:timers/promises';

const layouts = {
  reminder: ['greeting', 'reminder.rent', 'closing'],
  'deposit-return': ['greeting', 'deposit.amount', 'deposit.deadline', 'closing'],
  'notice-receipt': ['greeting', 'notice.received', 'closing'],
};

export class LayoutStore {
  async load(kind) {
    await wait(160);
    const keys = layouts[kind];
    if (!keys) throw Object.assign(new Error(`no layout ${kind}`), { status: 400 });
    return { kind, keys };
  }
}

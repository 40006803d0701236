import { assertIndependent, byProject, longDays, totalHours } from './rules.mjs';

export class ApprovalDesk {
  constructor(store, audit) {
    this.store = store;
    this.audit = audit;
  }

  actFor(person) {
    this.actor = person;
    return this;
  }

  async approve(id) {
    const sheet = await this.store.load(id);
    if (sheet.state !== 'submitted') throw Object.assign(new Error(`${id} is ${sheet.state}`), { statusCode: 409 });
    assertIndependent(this.actor.login, sheet.owner);
    const saved = await this.store.save({ ...sheet, state: 'approved', approvedBy: this.actor.name });
    return this.summary(saved, this.audit.note('approve', saved, this.actor));
  }

  async submit(id) {
    const sheet = await this.store.load(id);
    const saved = await this.store.save({ ...sheet, state: 'submitted' });
    return this.summary(saved, this.audit.note('submit', saved, this.actor));
  }

  summary(sheet, note) {
    const { id, owner, state, approvedBy, week } = sheet;
    return { id, owner, week, state, approvedBy, hours: totalHours(sheet), projects: byProject(sheet), longDays: longDays(sheet), audit: note };
  }
}

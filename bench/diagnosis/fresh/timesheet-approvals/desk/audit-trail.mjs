export class AuditTrail {
  #lines = [];

  note(action, sheet, actor) {
    const line = { seq: this.#lines.length + 1, at: new Date().toISOString(), action, sheet: sheet.id, actor: actor.login };
    this.#lines.push(line);
    return line;
  }
}

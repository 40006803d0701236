import { readers } from './channels.mjs';

export class LicenseRepository {
  constructor(db) {
    this.byKey = db.prepare('SELECT * FROM license WHERE key = ?');
    this.machines = db.prepare('SELECT machine, hostname, seen_at FROM activation WHERE license_key = ?');
    this.insert = db.prepare('INSERT INTO activation VALUES (?, ?, ?, ?)');
    this.touch = db.prepare('UPDATE activation SET seen_at = ? WHERE license_key = ? AND machine = ?');
  }

  find(key) {
    const row = this.byKey.get(key);
    return row && this.hydrate(row);
  }

  hydrate(row) {
    const terms = readers[row.channel](row);
    return { key: row.key, holder: row.holder, plan: row.plan, seats: row.seats, ...terms };
  }

  activations(key) {
    return this.machines.all(key);
  }

  activate(key, machine, hostname, at) {
    const { changes } = this.touch.run(at, key, machine);
    if (changes === 0) this.insert.run(key, machine, hostname, at);
    return changes === 0;
  }
}

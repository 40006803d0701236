'use strict';

class BerthRepository {
  constructor(database) {
    this.byCode = database.prepare('SELECT * FROM berths WHERE code = ?');
    this.insertStay = database.prepare(
      'INSERT INTO stays (berth, boat_id, nights, cents) VALUES (?, ?, ?, ?)',
    );
  }

  find(code) {
    const row = this.byCode.get(code.toUpperCase());
    if (row === undefined) throw Object.assign(new Error(`no berth ${code}`), { status: 404 });
    return { code: row.code, length: row.length_cm / 100, depth: row.depth_cm / 100, power: row.power === 1 };
  }

  recordStay(berth, boat, nights, cents) {
    const { lastInsertRowid } = this.insertStay.run(berth.code, boat.id, nights, cents);
    return Number(lastInsertRowid);
  }
}

module.exports = { BerthRepository };

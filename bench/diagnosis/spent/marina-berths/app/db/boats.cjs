'use strict';

function toBoat(row) {
  const lastSeason = Number(row.last_season);
  return {
    id: row.id,
    name: row.name,
    owner: row.owner,
    length: row.length_cm / 100,
    draught: row.draught_cm / 100,
    club: row.club === 1,
    insurer: row.insurer,
    lastSeason,
  };
}

class BoatRepository {
  constructor(database) {
    this.byName = database.prepare(`
      SELECT boats.*, policies.insurer, policies.last_season
      FROM boats LEFT JOIN policies ON policies.boat_id = boats.id
      WHERE boats.name = ?`);
  }

  findByName(name) {
    const row = this.byName.get(name);
    if (row === undefined) throw Object.assign(new Error(`no boat is called ${name}`), { status: 404 });
    return toBoat(row);
  }
}

module.exports = { BoatRepository, toBoat };

'use strict';
const { DatabaseSync } = require('node:sqlite');

const SCHEMA = `
  CREATE TABLE boats (id INTEGER PRIMARY KEY, name TEXT UNIQUE, owner TEXT, length_cm INTEGER, draught_cm INTEGER, club INTEGER);
  CREATE TABLE policies (boat_id INTEGER, insurer TEXT, last_season INTEGER);
  CREATE TABLE berths (code TEXT PRIMARY KEY, length_cm INTEGER, depth_cm INTEGER, power INTEGER);
  CREATE TABLE stays (id INTEGER PRIMARY KEY AUTOINCREMENT, berth TEXT, boat_id INTEGER, nights INTEGER, cents INTEGER);
`;
const DATA = `
  INSERT INTO boats VALUES
    (1, 'Halcyon', 'P. Rooke', 980, 165, 0), (2, 'Kittiwake', 'S. Adeyemi', 760, 120, 0),
    (3, 'Morgenrot', 'U. Thoma', 1240, 190, 0), (4, 'Zephyr', 'Harbour Sailing Club', 640, 95, 1),
    (5, 'Fulmar', 'G. Tanaka', 890, 150, 0), (6, 'Osprey', 'L. Byrne', 1010, 170, 0);
  INSERT INTO policies VALUES (1, 'Northern Mutual', 2026), (2, 'Haven', 2025), (3, 'Seekasko', 2027), (5, 'Haven', 2026), (6, 'Northern Mutual', 2025);
  INSERT INTO berths VALUES ('A1', 1300, 240, 1), ('A2', 1100, 210, 1), ('B1', 1000, 190, 0), ('B2', 800, 150, 0);
`;

function openDatabase() {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  database.exec(DATA);
  return database;
}

module.exports = { openDatabase };

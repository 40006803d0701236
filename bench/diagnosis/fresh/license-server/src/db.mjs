import { DatabaseSync } from 'node:sqlite';

const SCHEMA = `
  CREATE TABLE license (
    key TEXT PRIMARY KEY, channel TEXT NOT NULL, holder TEXT NOT NULL, plan TEXT NOT NULL,
    seats INTEGER NOT NULL, expires TEXT, valid_until INTEGER
  );
  CREATE TABLE activation (license_key TEXT NOT NULL, machine TEXT NOT NULL, hostname TEXT, seen_at INTEGER NOT NULL);
`;

const LICENSES = [
  ['ATL-7Q2M-11', 'direct', 'Brightwater Studio', 'team', 12, '2033-03-31', null],
  ['ATL-9XKD-02', 'direct', 'Hana Sedlak', 'solo', 1, '2031-10-01', null],
  ['ATL-0PLV-77', 'store', 'Tomas Weir', 'solo', 2, null, 1956528000000],
  ['ATL-3HHT-40', 'store', 'Odile Garnier', 'solo', 2, null, 1940630400000],
  ['ATL-R510-08', 'reseller', 'Kestrel Geo Ltd', 'studio', 30, null, null],
  ['ATL-R511-93', 'reseller', 'Polder Landschap BV', 'studio', 15, null, 1924905600],
];

const ACTIVATIONS = [
  ['ATL-7Q2M-11', 'f31c-90aa', 'edit-01'],
  ['ATL-7Q2M-11', 'b7d2-118e', 'edit-02'],
  ['ATL-R511-93', '51ee-7c04', 'gis-west'],
  ['ATL-R511-93', 'c0a9-2f6b', 'gis-oost'],
  ['ATL-R510-08', '9e2d-66b1', 'survey-3'],
];

export function openDatabase() {
  const db = new DatabaseSync(':memory:');
  db.exec(SCHEMA);
  const license = db.prepare('INSERT INTO license VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const row of LICENSES) license.run(...row);
  const activation = db.prepare('INSERT INTO activation VALUES (?, ?, ?, ?)');
  for (const row of ACTIVATIONS) activation.run(...row, Date.now());
  return db;
}

import { DatabaseSync } from 'node:sqlite';

const SIZES = { bergen: 14, ghent: 27, lyon: 20, porto: 33, riga: 8, turku: 16 };
const FIRST = ['Ana', 'Bo', 'Carla', 'Dries', 'Elif', 'Finn', 'Greta', 'Hugo', 'Ilse', 'Jan', 'Kaja'];
const LAST = ['Moreau', 'Sand', 'Ozols', 'Peeters', 'Lima', 'Virta', 'Dahl'];

export function connect() {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE member (id INTEGER PRIMARY KEY, chapter TEXT, name TEXT, email TEXT, joined TEXT, fee_cents INTEGER)');
  const insert = db.prepare('INSERT INTO member (chapter, name, email, joined, fee_cents) VALUES (?, ?, ?, ?, ?)');
  for (const [chapter, size] of Object.entries(SIZES)) {
    for (let at = 0; at < size; at += 1) {
      const name = `${FIRST[(at * 3 + size) % FIRST.length]} ${LAST[(at * 5 + size) % LAST.length]}`;
      const email = `${name.toLowerCase().replace(' ', '.')}${at}@members.example`;
      insert.run(chapter, name, email, `20${10 + (at % 14)}-0${1 + (at % 9)}-15`, at % 4 === 0 ? 2500 : 6000);
    }
  }
  return db;
}

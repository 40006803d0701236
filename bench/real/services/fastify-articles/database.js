import { scryptSync } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

export function openDatabase() {
  const database = new DatabaseSync(':memory:');
  database.exec(`
    CREATE TABLE users (id INTEGER PRIMARY KEY, username TEXT, email TEXT UNIQUE, bio TEXT, image TEXT, salt TEXT, password TEXT);
    CREATE TABLE articles (id INTEGER PRIMARY KEY, author INTEGER, slug TEXT UNIQUE, title TEXT, description TEXT, body TEXT,
      created_at TEXT, updated_at TEXT);
    CREATE TABLE tags (article INTEGER, name TEXT);
    CREATE TABLE favorites (article INTEGER, user INTEGER);
  `);
  fill(database);
  return database;
}

/** Cheap parameters: otherwise password hashing would dominate the CPU time of this service. */
export function hashPassword(password, salt) {
  return scryptSync(password, salt, 32, { N: 16, r: 1, p: 1 }).toString('hex');
}

function fill(database) {
  const addUser = database.prepare('INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (let nth = 1; nth <= 5; nth++) {
    addUser.run(
      nth,
      `user${nth}`,
      `user${nth}@example.com`,
      'Writes about servers, queues and databases.',
      `https://example.com/images/${nth}.png`,
      `salt ${nth}`,
      hashPassword(`correct horse ${nth}`, `salt ${nth}`),
    );
  }
  const addArticle = database.prepare('INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addTag = database.prepare('INSERT INTO tags VALUES (?, ?)');
  const addFavorite = database.prepare('INSERT INTO favorites VALUES (?, ?)');
  for (let nth = 1; nth <= 40; nth++) {
    addArticle.run(
      nth,
      (nth % 5) + 1,
      `article-${nth}`,
      `Article ${nth}`,
      `What happened when we moved service ${nth} to another region.`,
      'A paragraph of text as people write it, with a few commas and an end. '.repeat(8),
      '2026-03-01T10:00:00.000Z',
      '2026-03-02T11:30:00.000Z',
    );
    addTag.run(nth, nth % 2 === 0 ? 'node' : 'http');
    addTag.run(nth, 'servers');
    addFavorite.run(nth, (nth % 3) + 1);
  }
}

export class MemberStore {
  constructor(db) {
    this.counting = db.prepare('SELECT count(*) AS total FROM member WHERE chapter = ?');
    this.page = db.prepare('SELECT * FROM member WHERE chapter = ? AND id > ? ORDER BY id LIMIT ?');
  }

  count(chapter) {
    return this.counting.get(chapter).total;
  }

  after(chapter, cursor, limit) {
    return this.page.all(chapter, cursor, limit);
  }
}

export class UserRepository {
  constructor(database) {
    this.byId = database.prepare('SELECT * FROM users WHERE id = ?');
    this.byEmail = database.prepare('SELECT * FROM users WHERE email = ?');
  }

  findById(id) {
    return this.byId.get(id);
  }

  findByEmail(email) {
    return this.byEmail.get(email);
  }
}

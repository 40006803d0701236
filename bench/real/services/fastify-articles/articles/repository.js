export class ArticleRepository {
  constructor(database) {
    this.page = database.prepare('SELECT * FROM articles ORDER BY id DESC LIMIT ? OFFSET ?');
    this.bySlug = database.prepare('SELECT * FROM articles WHERE slug = ?');
    this.total = database.prepare('SELECT count(*) AS total FROM articles');
    this.tags = database.prepare('SELECT name FROM tags WHERE article = ? ORDER BY name');
    this.names = database.prepare('SELECT DISTINCT name FROM tags ORDER BY name');
    this.favorites = database.prepare('SELECT user FROM favorites WHERE article = ?');
    this.change = database.prepare('UPDATE articles SET title = ?, description = ?, body = ? WHERE id = ?');
  }

  findPage({ limit, offset }) {
    return this.page.all(limit, offset);
  }

  findBySlug(slug) {
    return this.bySlug.get(slug);
  }

  count() {
    return this.total.get().total;
  }

  tagsOf(article) {
    return this.tags.all(article).map(({ name }) => name);
  }

  favoritesOf(article) {
    return this.favorites.all(article).map(({ user }) => user);
  }

  allTags() {
    return this.names.all().map(({ name }) => name);
  }

  update(id, { title, description, body }) {
    this.change.run(title, description, body, id);
  }
}

import { ServiceError } from '../errors.js';

export class ArticleService {
  constructor(repository, users) {
    this.repository = repository;
    this.users = users;
  }

  async list(viewer, page) {
    const rows = this.repository.findPage(page);
    const articles = await Promise.all(rows.map((row) => this.present(row, viewer)));
    return { articles, articlesCount: this.repository.count() };
  }

  async show(viewer, slug) {
    return this.present(this.findBySlug(slug), viewer);
  }

  async change(viewer, slug, changes) {
    const row = this.findBySlug(slug);
    const { title, description, body } = { ...row, ...changes };
    this.repository.update(row.id, { title, description, body });
    return this.show(viewer, slug);
  }

  listTags() {
    return this.repository.allTags();
  }

  findBySlug(slug) {
    const row = this.repository.findBySlug(slug);
    if (row === undefined) throw new ServiceError(404, { article: ['is unknown'] });
    return row;
  }

  async present(row, viewer) {
    const author = await this.users.findProfile(row.author, viewer);
    const favorites = this.repository.favoritesOf(row.id);
    return {
      slug: row.slug,
      title: row.title,
      description: row.description,
      body: row.body,
      tagList: this.repository.tagsOf(row.id),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      favorited: viewer !== null && favorites.includes(viewer.id),
      favoritesCount: favorites.length,
      author,
    };
  }
}

export async function listArticles(request) {
  const { limit, offset } = request.query;
  return this.services.articles.list(request.user, { limit, offset });
}

export async function showArticle(request) {
  const article = await this.services.articles.show(request.user, request.params.slug);
  return { article };
}

export async function changeArticle(request) {
  const { articles } = this.services;
  const article = await articles.change(request.user, request.params.slug, request.body.article);
  return { article };
}

export async function listTags() {
  return { tags: this.services.articles.listTags() };
}

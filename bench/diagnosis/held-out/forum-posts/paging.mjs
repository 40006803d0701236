function findPosition(posts, id) {
  const position = posts.findIndex((post) => post.id === id);
  return position;
}

/** The posts that follow the post with the id `after`, or the first ones. */
export function pageAfter(posts, after, size) {
  const start = after === undefined ? 0 : findPosition(posts, after) + 1;
  const page = posts.slice(start, start + size);
  const next = start + size < posts.length ? page.at(-1).id : null;
  return { posts: page, next };
}

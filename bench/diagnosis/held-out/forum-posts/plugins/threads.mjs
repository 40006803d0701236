import { deletePost, listPosts } from '../store.mjs';
import { pageAfter } from '../paging.mjs';

const PAGE_SIZE = 3;

export default async function threads(fastify) {
  fastify.get('/threads/:thread/posts', async (request, reply) => {
    const posts = await listPosts(request.params.thread);
    if (posts === undefined) return reply.callNotFound();
    return pageAfter(posts, request.query.after, PAGE_SIZE);
  });

  fastify.delete('/threads/:thread/posts/:post', async (request, reply) => {
    await deletePost(request.params.thread, request.params.post);
    return reply.code(204).send();
  });
}

import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { publish } from './episodes.mjs';
import { findShow } from './shows.mjs';

async function route(request) {
  const [, root, slug, action] = request.url.split('/');
  if (root !== 'shows' || !slug) return { status: 404, body: { error: 'not found' } };
  const show = await findShow(slug);
  if (!show) return { status: 404, body: { error: `no show ${slug}` } };
  if (request.method === 'POST' && action === 'episodes') {
    return { status: 201, body: await publish(show, await json(request)) };
  }
  return {
    status: 200,
    body: { title: show.title, language: show.language, episodes: show.episodes.length },
  };
}

export function serve(port) {
  createServer((request, response) => {
    route(request)
      .catch((error) => ({ status: error.status ?? 500, body: { error: error.message } }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      });
  }).listen(port, '127.0.0.1');
}

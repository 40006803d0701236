import { buildMarker, type Scenario } from '../harness/runs.ts';
import type { RealService } from '../harness/service.ts';

const json = { 'content-type': 'application/json' };

/** json-server 0.17: Express 4, JavaScript that Babel compiled, lodash and lowdb. */
export const service: RealService = {
  name: 'json-server',
  own: ['json-server'],
  script: 'json-server/lib/cli/bin.js',
  args: (port) => ['--port', `${port}`, '--host', '127.0.0.1', '--quiet', 'db.json'],
  files: {
    'db.json': JSON.stringify({
      posts: Array.from({ length: 12 }, (_, nth) => ({
        id: nth + 1,
        title: `Post ${nth + 1}`,
        author: `user${nth % 5}`,
      })),
      comments: Array.from({ length: 20 }, (_, nth) => ({
        id: nth + 1,
        body: 'Text',
        postId: (nth % 12) + 1,
      })),
      profile: { name: 'Ada' },
    }),
  },
};

export const scenario: Scenario = {
  inTurn: [
    { path: '/posts?_page=1&_limit=3' },
    { path: '/posts/3?_embed=comments' },
    { path: '/posts/999' },
    { method: 'POST', path: '/posts', headers: json, body: '{"title":"New","author":"bo"}' },
    { method: 'PATCH', path: '/posts/2', headers: json, body: '{"author":"cy"}' },
    { method: 'DELETE', path: '/posts/4' },
    { path: '/profile' },
    { method: 'POST', path: '/posts', headers: json, body: '{"title":' },
    { path: '/posts/1/comments' },
    { path: '/db' },
  ],
  overlapping: Array.from({ length: 100 }, (_, nth) => ({
    path: `/posts?author=user1&q=${buildMarker(nth)}`,
  })),
};

import { checkClient, releaseNotes } from './releases.mjs';

function reply(res, status, data) {
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.end(JSON.stringify(data));
}

export function router(req, res) {
  const url = new URL(req.url, `http://${req.headers.host}`);
  const [, root, platform, last] = url.pathname.split('/');
  if (root !== 'clients' || req.method !== 'GET') return reply(res, 404, { error: 'not found' });
  const work = last === 'notes' ? releaseNotes(platform) : checkClient(platform, req.headers['x-app-version']);
  work.then(
    (data) => reply(res, 200, data),
    (error) => reply(res, error.code === 'TOO_OLD' ? 426 : 500, { error: error.message }),
  );
}

import { createHmac, randomBytes } from 'node:crypto';
import { findKit } from './catalogue.mjs';
import { assertReadable, visibleFiles } from './rules.mjs';

const LINK_SECRET = randomBytes(16);
const LINK_TTL_MS = 15 * 60_000;

function signedLink(path, holder, expires) {
  const signature = createHmac('sha256', LINK_SECRET).update(`${path}:${holder}:${expires}`).digest('base64url');
  return `/files/${path}?for=${holder}&expires=${expires}&sig=${signature.slice(0, 22)}`;
}

function humanSize(bytes) {
  return bytes > 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.round(bytes / 1e3)} kB`;
}

function toAsset(file, journalist, expires) {
  return { name: file.path.split('/').pop(), size: humanSize(file.bytes), url: signedLink(file.path, journalist.id, expires) };
}

export default async function kits(app) {
  app.get('/:slug/assets', async (request) => {
    const kit = await findKit(request.params.slug);
    if (!kit) throw Object.assign(new Error('no such kit'), { statusCode: 404 });
    const now = new Date();
    assertReadable(kit, request.journalist, now);
    const expires = now.getTime() + LINK_TTL_MS;
    const assets = visibleFiles(kit, request.journalist).map((file) => toAsset(file, request.journalist, expires));
    return { title: kit.title, credit: `© ${kit.distributor}`, assets, expires: new Date(expires).toISOString() };
  });
}

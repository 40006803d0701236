import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { validate } from 'uuid';
import { AppError } from '../http/errors.ts';
import { isFromThisMachine } from '../http/local-requests.ts';
import { escapeHtml } from './escape-html.ts';

const SHOWN = 100;

/**
 * Shows developers the newest 100 mails in the outbox folder, newest first. Responds only to requests from this machine, since links in the
 * mails grant access to accounts.
 */
export function registerOutbox(app: FastifyInstance, folder: string): void {
  app.get('/dev/outbox', async (request, reply) => {
    refuseOthers(request);
    const names = (await listFiles(folder)).filter((name) => name.endsWith('.txt')).sort();
    const messages = await Promise.all(
      names
        .slice(-SHOWN)
        .reverse()
        .map(async (name) => show(name.slice(0, -4), await readFile(join(folder, name), 'utf8'))),
    );
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      )
      .send(renderPage(messages));
  });
  app.get<{ Params: { id: string } }>('/dev/outbox/:id', async (request, reply) => {
    refuseOthers(request);
    const html = validate(request.params.id)
      ? await readFile(join(folder, `${request.params.id}.html`), 'utf8').catch(() => undefined)
      : undefined;
    if (html === undefined) throw new AppError('not_found');
    return reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-top-navigation-by-user-activation",
      )
      .send(html);
  });
}

function refuseOthers(request: FastifyRequest): void {
  if (!isFromThisMachine(request.raw)) throw new AppError('not_found');
}

async function listFiles(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

function show(id: string, text: string): string {
  const linked = escapeHtml(text).replace(/https?:\/\/[^\s&]+/g, (url) => `<a href="${url}">${url}</a>`);
  return `<article><p><a href="/dev/outbox/${id}">As HTML</a></p><pre>${linked}</pre></article>`;
}

function renderPage(messages: readonly string[]): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Outbox</title>
<style>:root{color-scheme:light dark}body{font:16px system-ui;max-width:48rem;margin:2rem auto;padding:0 1rem}pre{white-space:pre-wrap;overflow-wrap:anywhere}article{border-top:1px solid #8888;padding:1rem 0}</style>
<h1>Outbox</h1><p>Mail that would have been sent if SMTP_URL were set.</p>
${messages.length === 0 ? '<p>Nothing yet.</p>' : messages.join('\n')}</html>`;
}

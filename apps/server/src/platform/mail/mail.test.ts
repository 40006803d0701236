import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@throughline/testkit';
import { dropStores, putStores, storeSettings } from '@throughline/testkit/stores-folder';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ControlDb, type ControlStore, mailQueue, openControlStore } from '../control-store/index.ts';
import type { AppError } from '../http/errors.ts';
import { createLog } from '../log.ts';
import { composeMail } from './compose.ts';
import { escapeHtml } from './escape-html.ts';
import { createMailer, formatNameInMail, type Mailer } from './index.ts';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
const log = createLog('silent');
const secretKey = Buffer.alloc(32, 7);
let dataDir: string;
let folder: string;
let control: ControlStore;
const opened: Mailer[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'throughline-mail-'));
  await putStores(dataDir);
  control = await openControlStore({ databaseUrl: storeSettings(dataDir).DATABASE_URL, dataDir });
});
afterAll(async () => {
  await control.close();
  await dropStores(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = await mkdtemp(join(dataDir, 'test-'));
});
afterEach(async () => {
  for (const mailer of opened.splice(0)) await mailer.close();
  await control.db.delete(mailQueue);
});

const open = (smtpUrl?: string) => {
  const config = { smtpUrl, from: 'Throughline <no-reply@flows.example>', outbox: join(folder, 'outbox') };
  const mailer = createMailer({ control, clock, log, secretKey, config });
  opened.push(mailer);
  return mailer;
};
const HELLO = { to: 'ada@test.example', subject: 'Hello', paragraphs: ['Hello Ada,', 'welcome.'] };
const queued = () => control.db.select().from(mailQueue);

/** A minimal SMTP server that rejects the first `failures` messages. */
async function startSmtp(failures = 0) {
  const messages: { readonly from: string; readonly to: string[]; readonly data: string }[] = [];
  let refusals = failures;
  const server: Server = createServer((socket) => {
    let from = '';
    let to: string[] = [];
    let data: string | undefined;
    let rest = '';
    socket.on('error', () => {});
    socket.write('220 test ESMTP\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      rest += chunk;
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data !== undefined) {
          if (line !== '.') data += `${line}\n`;
          else {
            if (refusals > 0) socket.write('451 try again\r\n');
            else {
              messages.push({ from, to, data });
              socket.write('250 kept\r\n');
            }
            refusals -= 1;
            data = undefined;
          }
        } else if (line.startsWith('MAIL')) {
          from = line;
          to = [];
          socket.write('250 ok\r\n');
        } else if (line.startsWith('RCPT')) {
          to.push(line);
          socket.write('250 ok\r\n');
        } else if (line === 'DATA') {
          data = '';
          socket.write('354 go on\r\n');
        } else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    messages,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('a message', () => {
  test('reaches the mail server as text and HTML, and is then removed from the queue', async () => {
    const smtp = await startSmtp();
    await open(smtp.url).send(control.db, {
      ...HELLO,
      action: { label: 'Look', url: 'https://flows.example/x' },
    });
    const message = await until(() => smtp.messages[0]);
    expect(message.to).toEqual(['RCPT TO:<ada@test.example>']);
    expect(message.data).toContain('From: Throughline <no-reply@flows.example>');
    expect(message.data).toContain('Content-Type: text/plain');
    expect(message.data).toContain('Content-Type: text/html');
    expect(message.data).toContain('https://flows.example/x');
    await until(async () => ((await queued()).length === 0 ? true : undefined));
    await smtp.stop();
  });

  test('is sent again later if the mail server rejected it, and is delivered once', async () => {
    const smtp = await startSmtp(1);
    await open(smtp.url).send(control.db, HELLO);
    // Waits until the SMTP server has rejected the mail. A failed attempt postpones the mail by a minute; a running attempt postpones it by
    // two.
    await until(async () => {
      const [row] = await queued();
      return row?.dueAt.getTime() === clock.now().getTime() + MINUTE_MS ? row : undefined;
    });
    clock.advance(3 * MINUTE_MS);
    // A later mail wakes the queue, which then retries the first mail.
    await open(smtp.url).send(control.db, { ...HELLO, subject: 'Second' });
    await until(() => (smtp.messages.length === 2 ? true : undefined));
    await until(async () => ((await queued()).length === 0 ? true : undefined));
    expect(smtp.messages.filter((message) => message.data.includes('Subject: Hello'))).toHaveLength(1);
    await smtp.stop();
  });

  test('does not block other work while the mail server does not respond, and waits for its next attempt', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const mailer = open(`smtp://127.0.0.1:${port}`);
    await mailer.send(control.db, HELLO);
    await until(() => sockets[0]);
    // While an attempt is running, the mailer still accepts further mails.
    await mailer.send(control.db, { ...HELLO, subject: 'Second' });
    expect(await queued()).toHaveLength(2);
    silent.close();
    for (const socket of sockets) socket.destroy();
    // Both attempts failed and are retried in a minute.
    const later = clock.now().getTime() + MINUTE_MS;
    await until(async () =>
      (await queued()).every((row) => row.dueAt.getTime() === later) ? true : undefined,
    );
    expect((await queued()).map((row) => row.attempts)).toEqual([1, 1]);
  });

  test('queued in a transaction that is rolled back is never sent', async () => {
    const mailer = open();
    const failed = control.db.transaction(async (tx) => {
      await mailer.send(tx, { ...HELLO, subject: 'Never' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await mailer.send(control.db, HELLO);
    await until(async () =>
      (await readdir(join(folder, 'outbox')).catch(() => [])).length > 0 ? true : undefined,
    );
    await mailer.close();
    expect(await readdir(join(folder, 'outbox'))).toHaveLength(2);
  });

  test('is encrypted in the queue, because its links grant access to accounts', async () => {
    const mailer = open('smtp://127.0.0.1:1');
    const url = 'https://flows.example/secret-link';
    await mailer.send(control.db, { ...HELLO, action: { label: 'Look', url } });
    const [row] = await queued();
    expect(Buffer.from(row?.sealed ?? '', 'base64').toString('latin1')).not.toContain('secret-link');
  });
});

describe('a rate-limited mail', () => {
  const HOUR_MS = 60 * MINUTE_MS;
  const invite = (to: string, sender: string, organization: string) =>
    open().send(control.db, { ...HELLO, to, limit: { kind: 'invitation', sender, organization } });
  const problem = (sent: Promise<unknown>) =>
    sent.then(
      () => undefined,
      ({ code, message, headers }: AppError) => ({ code, message, retryAfter: headers['retry-after'] }),
    );

  test('is refused for a recipient over the limit, from any sender, until a day after the first mail', async () => {
    for (let count = 0; count < 5; count += 1) {
      await invite('limited@test.example', `sender-${count}`, `org-${count}`);
      clock.advance(MINUTE_MS);
    }
    expect(await problem(invite('limited@test.example', 'another', 'another'))).toEqual({
      code: 'too_many_requests',
      message: 'Too many invitations were sent to this address. Try again in 24 hours.',
      retryAfter: String((24 * HOUR_MS - 5 * MINUTE_MS) / 1000),
    });
    await invite('unlimited@test.example', 'another', 'another');
    clock.advance(24 * HOUR_MS - 5 * MINUTE_MS);
    await invite('limited@test.example', 'another', 'another');
    expect(await problem(invite('limited@test.example', 'another', 'another'))).toMatchObject({
      message: 'Too many invitations were sent to this address. Try again in 1 minute.',
    });
  });

  test('is refused above the limit of its sender or of its organization', async () => {
    const to = (count: number) => `many-${count}@test.example`;
    for (let count = 0; count < 60; count += 1) await invite(to(count), 'owner', 'engines');
    expect(await problem(invite(to(60), 'owner', 'other'))).toMatchObject({
      message: expect.stringMatching(/^You have sent too many invitations\./),
    });
    for (let count = 60; count < 100; count += 1) await invite(to(count), 'next owner', 'engines');
    expect(await problem(invite(to(100), 'third owner', 'engines'))).toMatchObject({
      message: expect.stringMatching(/^Your organization has sent too many invitations\./),
    });
  });

  test('is counted exactly in concurrent requests, and not at all if its transaction is rolled back', async () => {
    const mailer = open();
    const send = (db: ControlDb) =>
      mailer.send(db, { ...HELLO, to: 'race@test.example', limit: { kind: 'invitation', sender: 's' } });
    const failed = control.db.transaction(async (tx) => {
      await send(tx);
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    const sent = await Promise.allSettled(Array.from({ length: 12 }, () => send(control.db)));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  test('is discarded without an error if the error would reveal who has an account', async () => {
    const send = () =>
      open().send(control.db, { ...HELLO, to: 'reset@test.example', limit: { kind: 'passwordReset' } });
    expect([await send(), await send(), await send(), await send()]).toEqual([true, true, true, false]);
    clock.advance(HOUR_MS);
    expect(await send()).toBe(true);
  });
});

describe('user input in a mail', () => {
  test('cannot add headers or markup', () => {
    const nasty = '"><script>alert(1)</script>\r\nBcc: all@test.example';
    const { subject, text, html } = composeMail({
      to: 'ada@test.example',
      subject: `Hello ${nasty}`,
      paragraphs: [nasty],
      action: { label: nasty, url: 'https://x.example/?a="b' },
      note: nasty,
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('a="b"');
    expect(text).toContain(nasty);
  });

  test.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['J. R. R. O’Brien-Müller, Jr.', 'J. R. R. O’Brien-Müller, Jr.'],
    ['李 冶 & Søren', '李 冶 & Søren'],
    ['Studio 54', 'Studio 54'],
    ['Win at https://evil.example/x?y=1', 'Win at https evil example x y 1'],
    ['evil.example', 'evil example'],
    ['evil。example www．evil．example', 'evil example www evil example'],
    ['mail me@evil.example', 'mail me evil example'],
    ['<a href="//evil.example">click</a>', 'a href evil example click a'],
    ['[click](evil.example) **now** `x` #1', 'click evil example now x 1'],
    ['call +1 (800) 555-0199 now', 'call now'],
    ['\u202egnp.exe\u200b\u2066x', 'gnp exe x'],
    ['x'.repeat(100), `${'x'.repeat(39)}…`],
    ['://', ''],
  ])('is shortened from the name %j to %j, without links, markup or a message', (name, shown) => {
    expect(formatNameInMail(name)).toBe(shown);
    const { text, html } = composeMail({ to: 'ada@test.example', name, subject: 'Hello', paragraphs: [] });
    const greeting = shown === '' ? 'Hello,' : `Hello ${shown},`;
    expect(text.split('\n')[0]).toBe(greeting);
    expect(html).toContain(`>${escapeHtml(greeting)}</p>`);
  });

  test('in an address cannot add other recipients', async () => {
    const smtp = await startSmtp();
    await open(smtp.url).send(control.db, { ...HELLO, to: 'ada@test.example, eve@test.example' });
    await until(async () =>
      smtp.messages.length > 0 || ((await queued())[0]?.attempts ?? 0) > 0 ? true : undefined,
    );
    for (const message of smtp.messages) expect(message.to).toHaveLength(1);
    await smtp.stop();
  });
});

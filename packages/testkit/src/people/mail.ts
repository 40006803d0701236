import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, routes } from '@throughline/contract';

/** A mail as written to the outbox folder. */
export interface ReceivedMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const PATIENCE_MS = 20_000;

/** Reads all mails to an address, oldest first. */
export async function mailTo(server: { readonly dataDir: string }, email: string): Promise<ReceivedMail[]> {
  const folder = join(server.dataDir, 'outbox');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.txt')).sort();
  const mails = await Promise.all(
    names.map(async (name) => {
      const [head = '', ...rest] = (await readFile(join(folder, name), 'utf8')).split('\n\n');
      const [, to = '', subject = ''] = /^To: (.*)\nSubject: (.*)$/.exec(head) ?? [];
      const html = await readFile(join(folder, name.replace(/txt$/, 'html')), 'utf8');
      return { to, subject, text: rest.join('\n\n'), html };
    }),
  );
  return mails.filter((mail) => mail.to === email);
}

/** Waits for a mail to an address, with a subject that contains the given words. Returns the newest such mail. */
export async function awaitMail(
  server: { readonly dataDir: string },
  email: string,
  subject: string,
): Promise<ReceivedMail> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const mail = (await mailTo(server, email)).findLast((one) => one.subject.includes(subject));
    if (mail !== undefined) return mail;
    if (Date.now() > until) throw new Error(`No mail to ${email} about "${subject}" came.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the token of the newest link that confirms an address. */
export async function awaitEmailToken(server: { readonly dataDir: string }, email: string): Promise<string> {
  const { text } = await awaitMail(server, email, 'Throughline email address');
  const token = /\/verify-email\?token=([\w-]{43})\n/.exec(text)?.[1];
  if (token === undefined) throw new Error(`The mail to ${email} has no link that confirms an address.`);
  return token;
}

/** Opens the link that was mailed to an address. */
export async function confirmAddress(
  server: { readonly dataDir: string; readonly anyone: Client },
  email: string,
): Promise<void> {
  const token = await awaitEmailToken(server, email);
  await server.anyone.call(routes.account.verifyEmail, { body: { token } });
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { ComposedMail } from './compose.ts';

/** Delivers mail. */
export interface MailTransport {
  /** Delivers a mail to the mail server, or to the outbox folder. Rejects if the mail was not accepted or not written. */
  deliver(id: string, mail: ComposedMail): Promise<void>;
  close(): void;
}

export interface MailConfig {
  /** `smtp://user:password@host:port` or `smtps://…`; undefined: mails are written to the outbox folder. */
  readonly smtpUrl: string | undefined;
  readonly from: string;
  /** Absolute path. */
  readonly outbox: string;
}

const CONNECT_MS = 10_000;

export function openTransport(config: MailConfig): MailTransport {
  return config.smtpUrl === undefined
    ? createOutboxTransport(config.outbox)
    : createSmtpTransport(config.smtpUrl, config.from);
}

/** Logs in to a mail server without sending anything. Rejects if the connection or the login fails. */
export async function checkTransport(smtpUrl: string): Promise<void> {
  const transport = connect(smtpUrl);
  await transport.verify().finally(() => transport.close());
}

function connect(url: string) {
  return createTransport({ url, connectionTimeout: CONNECT_MS, socketTimeout: 3 * CONNECT_MS });
}

function createSmtpTransport(url: string, from: string): MailTransport {
  const transport = connect(url);
  return {
    async deliver(id, { to, subject, text, html, unsubscribeUrl }) {
      // nodemailer does not parse an address that is passed as an object, so the address cannot contain a second address or a header.
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        messageId: `<${id}@throughline>`,
        headers: listUnsubscribeHeaders(unsubscribeUrl),
        disableFileAccess: true,
        disableUrlAccess: true,
      });
    },
    close: () => transport.close(),
  };
}

/** Returns headers with which mail programs show a button that unsubscribes with one click (RFC 2369, RFC 8058). */
function listUnsubscribeHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {};
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Creates the transport of an installation without a mail server. It writes each mail as two files: its text with address and subject at
 * the top, and its HTML.
 */
function createOutboxTransport(folder: string): MailTransport {
  return {
    async deliver(id, { to, subject, text, html }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, `${id}.html`), html, { mode: 0o600 });
      await writeFile(join(folder, `${id}.txt`), `To: ${to}\nSubject: ${subject}\n\n${text}`, {
        mode: 0o600,
      });
    },
    close: () => {},
  };
}

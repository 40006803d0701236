import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../platform/config.ts';
import { checkTransport } from '../../platform/mail/index.ts';
import { type Finding, found } from './finding.ts';

const OLDEST_NODE = 24;

export function checkNode(version: string): Finding {
  return Number.parseInt(version, 10) < OLDEST_NODE
    ? found.wrong('Node', `is ${version}; Throughline needs ${OLDEST_NODE} or newer`)
    : found.ok('Node', version);
}

/** Checks that a server could listen on the port. A port in use is no problem if a server is running on the same data folder. */
export async function checkPort({ port, host }: Config, serverRuns: boolean): Promise<Finding> {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return found.ok('Port', `${port} on ${host} is free`);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE' && serverRuns)
      return found.ok('Port', `${port} is in use by the running server or by another program`);
    if (code === 'EADDRINUSE')
      return found.wrong(
        'Port',
        `${port} on ${host} is in use by another program: set PORT to another number, or stop that program`,
      );
    return found.wrong(
      'Port',
      `nothing can listen on ${host}:${port} (${getMessage(error)}): check HOST and PORT`,
    );
  } finally {
    server.close();
  }
}

export async function checkMail({ smtpUrl, publicUrl, mode }: Config): Promise<Finding> {
  if (smtpUrl === undefined) {
    return found.note(
      'Mail',
      'SMTP_URL is not set: emails are not sent, but written to the folder outbox. Copy invitation links from the Users page',
    );
  }
  try {
    await checkTransport(smtpUrl);
  } catch (error) {
    return found.wrong('Mail', `the server that SMTP_URL names does not take mail (${getMessage(error)})`);
  }
  return publicUrl === undefined && mode === 'production'
    ? found.note('Mail', 'works, but PUBLIC_URL is not set, so links in messages lead to localhost')
    : found.ok('Mail', 'the server that SMTP_URL names answers');
}

export function checkPayments({ stripe, billingSandbox }: Config): Finding {
  if (stripe !== undefined) return found.ok('Payments', 'are taken through Stripe');
  return billingSandbox
    ? found.note('Payments', 'BILLING_SANDBOX is on: accounts can choose any plan without paying')
    : found.ok('Payments', 'none are taken; the operator gives plans with `throughline plan set`');
}

function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

import { text } from 'node:stream/consumers';
import { RegisterOrganizationBody } from '@throughline/contract';
import { createApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/http/errors.ts';
import { createLog } from '../platform/log.ts';
import { DataDirBusy } from '../platform/start/data-dir-lock.ts';
import { createRandomBase62 } from '../platform/start/secrets.ts';
import { askServer } from './ask-server.ts';
import { CommandFailed, type RunCommand, readOptions, say, UsageError } from './command.ts';

const GENERATED_LENGTH = 20;

export const createOwner: RunCommand = async (args, readSettings) => {
  const given = readOptions(args, {
    texts: ['email', 'name', 'organization', 'slug'],
    switches: ['password-stdin'],
  });
  const { email, name, organization } = given;
  if (email === undefined || name === undefined || organization === undefined) {
    throw new UsageError('--email, --name and --organization are required.');
  }
  const config = readSettings();
  const typed =
    given['password-stdin'] === true ? (await text(process.stdin)).replace(/\r?\n.*$/s, '') : undefined;
  const password = typed ?? createRandomBase62(GENERATED_LENGTH);
  const account = checkAccount({
    email,
    name,
    password,
    organizationName: organization,
    organizationSlug: given.slug ?? buildSlug(organization),
  });
  await create(config, account);
  say(`${account.email} owns the organization ${account.organizationName} (${account.organizationSlug}).`);
  if (typed === undefined) say(`Password, shown this once: ${password}`);
};

type Account = ReturnType<typeof checkAccount>;

const OPTION_OF: Readonly<Record<string, string>> = {
  email: '--email',
  name: '--name',
  password: 'the password',
  organizationName: '--organization',
  organizationSlug: '--slug',
};

function checkAccount(account: unknown) {
  const read = RegisterOrganizationBody.safeParse(account);
  if (read.success) return read.data;
  const lines = read.error.issues.map(
    ({ path, message }) => `${OPTION_OF[String(path[0])] ?? path.join('.')}: ${message}`,
  );
  throw new CommandFailed(lines.join('\n'));
}

/** Builds a slug, such as `muller-sohne` from `Müller & Söhne`. */
function buildSlug(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 63);
}

/** Creates the owner directly in the stores. If a running server has the stores open, asks that server to create the owner. */
async function create(config: Config, account: Account): Promise<void> {
  try {
    const app = await createApp(config, { clock: systemClock, log: createLog('error') });
    try {
      await app.createOwner(account);
    } finally {
      await app.stop();
    }
  } catch (error) {
    if (error instanceof AppError) throw new CommandFailed(error.message, { cause: error });
    if (!(error instanceof DataDirBusy)) throw error;
    const answer = await askServer(config.dataDir, { method: 'POST', path: '/owners', body: account }, error);
    answer.resume();
  }
}

import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { createApp } from '../app.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { AppError } from '../platform/http/errors.ts';
import { createLog } from '../platform/log.ts';
import { DataDirBusy } from '../platform/start/data-dir-lock.ts';
import { askServer } from './ask-server.ts';
import { CommandFailed, type RunCommand, readOptions, say, UsageError } from './command.ts';

export const setPlan: RunCommand = async (args, readSettings) => {
  const given = readOptions(args, { texts: ['organization', 'email', 'plan'], switches: [] });
  if (given.plan === undefined || (given.organization === undefined) === (given.email === undefined)) {
    throw new UsageError('--plan, and either --organization or --email, are required.');
  }
  say(await set(readSettings(), given));
};

const Message = z.object({ message: z.string() });

/** Sets the plan directly in the stores. If a running server has the stores open, asks that server to set the plan. */
async function set(config: Config, assignment: unknown): Promise<string> {
  try {
    const app = await createApp(config, { clock: systemClock, log: createLog('error') });
    try {
      return await app.setPlan(assignment);
    } finally {
      await app.stop();
    }
  } catch (error) {
    if (error instanceof AppError) throw new CommandFailed(error.message, { cause: error });
    if (!(error instanceof DataDirBusy)) throw error;
    const call = { method: 'POST', path: '/plans', body: assignment } as const;
    const answer = await askServer(config.dataDir, call, error);
    return Message.parse(JSON.parse(await text(answer))).message;
  }
}

import { formatCounted } from '@throughline/contract';
import { type Config, ConfigError } from '../platform/config.ts';
import { CommandFailed, type RunCommand, say, UsageError } from './command.ts';
import { type Finding, found } from './doctor/finding.ts';
import { checkFolder } from './doctor/folder.ts';
import { checkMail, checkNode, checkPayments, checkPort } from './doctor/machine.ts';
import { checkStores } from './doctor/stores.ts';

const SIGNS = { ok: ' ok ', note: 'note', wrong: 'FAIL' } as const;

export const doctor: RunCommand = async (args, readSettings) => {
  if (args.length > 0) throw new UsageError('doctor takes no arguments.');
  const findings: Finding[] = [];
  const add = (more: readonly Finding[]) => {
    findings.push(...more);
    for (const { state, about, says } of more) say(`[${SIGNS[state]}] ${about}: ${says}`);
  };
  add([checkNode(process.versions.node)]);
  const config = tryReadSettings(readSettings);
  if ('state' in config) add([config]);
  else {
    add([found.ok('Settings', 'are complete')]);
    add(await checkFolder(config));
    const stores = await checkStores(config);
    add(stores.findings);
    add([await checkPort(config, stores.serverRuns)]);
    add([await checkMail(config)]);
    add([checkPayments(config)]);
  }
  const wrong = findings.filter(({ state }) => state === 'wrong').length;
  if (wrong > 0) throw new CommandFailed(`${formatCounted(wrong, 'problem')} found.`);
  say('No problems found.');
};

function tryReadSettings(readSettings: () => Config): Config | Finding {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof ConfigError) return found.wrong('Settings', error.message);
    throw error;
  }
}

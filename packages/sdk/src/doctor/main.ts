#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { examine } from './examine.ts';
import { formatFindings } from './words.ts';

const usage = `throughline-node doctor [SCRIPT] [--json]

Lists which parts of a service would be traced, and why others would not. Sends a test trace to check the key and the server.
SCRIPT is the service's main script; without it, the project of the working directory is examined.
Settings are read from the environment (THROUGHLINE_API_KEY, THROUGHLINE_URL, …), as the SDK reads them.

Exit status: 0 no check failed, 1 a check failed, 2 wrong arguments.
`;

interface Command {
  readonly script: string | undefined;
  readonly json: boolean;
}

function readCommand(args: string[]): Command | undefined {
  try {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [verb, script, ...rest] = positionals;
    return verb === 'doctor' && rest.length === 0 ? { script, json: values.json } : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command === undefined) {
    process.stderr.write(usage);
    process.exitCode = 2;
    return;
  }
  const findings = await examine({
    script: command.script,
    workingDirectory: process.cwd(),
    env: process.env,
  });
  process.stdout.write(command.json ? `${JSON.stringify(findings, null, 2)}\n` : formatFindings(findings));
  process.exitCode = findings.ok ? 0 : 1;
}

main().catch((error: unknown) => {
  process.stderr.write(
    `throughline-node doctor failed: ${error instanceof Error ? error.message : 'unknown'}\n`,
  );
  process.exitCode = 1;
});

import { expect, it } from 'vitest';
import { formatEnvironment, installCommand, startCommand } from './setup-commands.ts';

const setup = { apiKey: 'tl_key', publicUrl: 'https://traces.example:8443' };

it('the install command downloads the SDK from the server', () => {
  expect(installCommand(setup)).toBe('npm i https://traces.example:8443/sdk/throughline-node.tgz');
});

it('the start command sets API key and server URL in one line, for POSIX shells and for PowerShell', () => {
  expect(startCommand(setup, 'posix')).toBe(
    'THROUGHLINE_API_KEY=tl_key THROUGHLINE_URL=https://traces.example:8443 node --import @throughline/node/auto server.js',
  );
  expect(startCommand(setup, 'powershell')).toBe(
    "$env:THROUGHLINE_API_KEY='tl_key'; $env:THROUGHLINE_URL='https://traces.example:8443'; node --import @throughline/node/auto server.js",
  );
});

it('the environment commands set API key and server URL for all programs that are started from the shell', () => {
  expect(formatEnvironment(setup, 'posix')).toBe(
    'export THROUGHLINE_API_KEY=tl_key\nexport THROUGHLINE_URL=https://traces.example:8443',
  );
});

import { expect, it } from 'vitest';
import { environmentLines, installCommand, startCommand } from './setup-commands.ts';

const setup = { apiKey: 'tl_key', publicUrl: 'https://traces.example:8443' };

it('installs the SDK from the server itself', () => {
  expect(installCommand(setup)).toBe('npm i https://traces.example:8443/sdk/throughline-node.tgz');
});

it('starts an app with key and address in one line, in either shell', () => {
  expect(startCommand(setup, 'posix')).toBe(
    'THROUGHLINE_API_KEY=tl_key THROUGHLINE_URL=https://traces.example:8443 node --import @throughline/node/auto server.js',
  );
  expect(startCommand(setup, 'powershell')).toBe(
    "$env:THROUGHLINE_API_KEY='tl_key'; $env:THROUGHLINE_URL='https://traces.example:8443'; node --import @throughline/node/auto server.js",
  );
});

it('sets key and address for a whole shell', () => {
  expect(environmentLines(setup, 'posix')).toBe(
    'export THROUGHLINE_API_KEY=tl_key\nexport THROUGHLINE_URL=https://traces.example:8443',
  );
});

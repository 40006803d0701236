import { SDK_TARBALL_PATH } from '@throughline/contract';

/** The values that the setup commands contain. */
export interface Setup {
  readonly apiKey: string;
  /** The server's URL for the traced app, without a trailing slash. */
  readonly publicUrl: string;
}

/** The shell for which the commands are written. */
export type Shell = 'posix' | 'powershell';

const PRELOAD = 'node --import @throughline/node/auto server.js';

/** Returns the command that installs the SDK from this server. */
export function installCommand({ publicUrl }: Pick<Setup, 'publicUrl'>): string {
  return `npm i ${publicUrl}${SDK_TARBALL_PATH}`;
}

/** Returns the lines that set the API key and server URL for programs started from the shell. */
export function formatEnvironment({ apiKey, publicUrl }: Setup, shell: Shell): string {
  return shell === 'posix'
    ? `export THROUGHLINE_API_KEY=${apiKey}\nexport THROUGHLINE_URL=${publicUrl}`
    : `$env:THROUGHLINE_API_KEY = '${apiKey}'\n$env:THROUGHLINE_URL = '${publicUrl}'`;
}

/** Returns the one-line command that starts an app with tracing. */
export function startCommand({ apiKey, publicUrl }: Setup, shell: Shell): string {
  return shell === 'posix'
    ? `THROUGHLINE_API_KEY=${apiKey} THROUGHLINE_URL=${publicUrl} ${PRELOAD}`
    : `$env:THROUGHLINE_API_KEY='${apiKey}'; $env:THROUGHLINE_URL='${publicUrl}'; ${PRELOAD}`;
}

/** Possible ways to start the SDK after the API key and server URL are set. */
export const WAYS_TO_START = [
  {
    way: 'flag',
    label: 'No code change',
    explanation: 'Add one flag. Works with ES modules and CommonJS.',
    code: PRELOAD,
  },
  {
    way: 'esm',
    label: 'ES module',
    explanation:
      'Create traced.mjs, and start this file instead of server.js. Only modules loaded after init() are traced.',
    code: "import { init } from '@throughline/node';\n\ninit();\nawait import('./server.js');",
  },
  {
    way: 'cjs',
    label: 'CommonJS',
    explanation:
      'Create traced.cjs, and start this file instead of server.js. Only modules loaded after init() are traced.',
    code: "const { init } = require('@throughline/node');\n\ninit();\nrequire('./server.js');",
  },
] as const;

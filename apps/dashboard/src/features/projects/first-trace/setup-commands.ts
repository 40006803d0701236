import { SDK_TARBALL_PATH } from '@throughline/contract';

/** The parts of the commands to paste. */
export interface Setup {
  readonly apiKey: string;
  /** The server's address as the traced app reaches it, without a trailing slash. */
  readonly publicUrl: string;
}

/** The shell that the lines are pasted into. */
export type Shell = 'posix' | 'powershell';

const PRELOAD = 'node --import @throughline/node/auto server.js';

/** Installs the SDK that this very server serves. */
export function installCommand({ publicUrl }: Pick<Setup, 'publicUrl'>): string {
  return `npm i ${publicUrl}${SDK_TARBALL_PATH}`;
}

/** Sets key and address for what is started from this shell. */
export function environmentLines({ apiKey, publicUrl }: Setup, shell: Shell): string {
  return shell === 'posix'
    ? `export THROUGHLINE_API_KEY=${apiKey}\nexport THROUGHLINE_URL=${publicUrl}`
    : `$env:THROUGHLINE_API_KEY = '${apiKey}'\n$env:THROUGHLINE_URL = '${publicUrl}'`;
}

/** Starts an app traced, in one line. */
export function startCommand({ apiKey, publicUrl }: Setup, shell: Shell): string {
  return shell === 'posix'
    ? `THROUGHLINE_API_KEY=${apiKey} THROUGHLINE_URL=${publicUrl} ${PRELOAD}`
    : `$env:THROUGHLINE_API_KEY='${apiKey}'; $env:THROUGHLINE_URL='${publicUrl}'; ${PRELOAD}`;
}

/** How the SDK is started, once key and address are set. */
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
      'Create traced.mjs and start it instead of server.js. Only modules loaded after init() are traced.',
    code: "import { init } from '@throughline/node';\n\ninit();\nawait import('./server.js');",
  },
  {
    way: 'cjs',
    label: 'CommonJS',
    explanation:
      'Create traced.cjs and start it instead of server.js. Only modules loaded after init() are traced.',
    code: "const { init } = require('@throughline/node');\n\ninit();\nrequire('./server.js');",
  },
] as const;

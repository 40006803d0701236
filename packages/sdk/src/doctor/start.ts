import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Check } from './findings.ts';
import type { Manifest } from './packages.ts';

const preload = '@throughline/node/auto';
/** Files next to package.json that can contain a service's start command. */
const startFiles = [
  'Dockerfile',
  'Procfile',
  'compose.yaml',
  'compose.yml',
  'docker-compose.yaml',
  'docker-compose.yml',
  'ecosystem.config.cjs',
  'ecosystem.config.js',
];

export interface StartOptions {
  readonly manifests: readonly Manifest[];
  readonly nodeOptions: string | undefined;
  /** The project's own files that call `init`. */
  readonly callsInit: readonly string[];
}

/** Checks that the SDK is installed and starts together with the service. */
export function checkStart({ manifests, nodeOptions, callsInit }: StartOptions): Check[] {
  return [
    ...checkInstalled(manifests),
    checkStartOptions({ manifests, nodeOptions, callsInit }),
    ...findTsNodeWithImport(manifests, nodeOptions),
  ];
}

/**
 * Finds start commands that would fail immediately: `ts-node` with `--import`. With any `--import`, Node loads the main script as an ES
 * module. The hook of `ts-node/register` does not compile ES modules, but the hook of `ts-node/esm` does.
 */
function findTsNodeWithImport(manifests: readonly Manifest[], nodeOptions = ''): Check[] {
  const commands = [
    ...manifests.flatMap(({ scripts }) =>
      Object.entries(scripts).map(([name, command]) => ({ place: `npm run ${name}`, command })),
    ),
    ...manifests.flatMap(({ folder }) =>
      startFiles.flatMap((file) =>
        readStartFile(join(folder, file))
          .split('\n')
          .map((command) => ({ place: file, command })),
      ),
    ),
  ];
  const places = commands
    .filter(({ command }) => /\bts-node(?![-/]esm)\b/.test(command))
    .filter(({ command }) => importsPreload(command) || importsPreload(nodeOptions))
    .map(({ place }) => place);
  if (places.length === 0) return [];
  return [
    {
      about: 'start',
      state: 'failed',
      says: `ts-node without its hook for ES modules (ts-node/esm) does not work with --import: the service does not start (${[...new Set(places)].join(', ')})`,
      remedy: `write --require ${preload} in place of --import ${preload}`,
    },
  ];
}

function importsPreload(command: string): boolean {
  return /--import[=\s]+["']?@throughline\/node\/auto/.test(command);
}

function checkInstalled(manifests: readonly Manifest[]): Check[] {
  const [nearest] = manifests;
  if (nearest === undefined) return [];
  try {
    createRequire(join(nearest.folder, 'package.json')).resolve('@throughline/node');
    return [];
  } catch {
    return [
      {
        about: 'start',
        state: 'warning',
        says: '@throughline/node is not installed in this project',
        remedy: 'npm install @throughline/node',
      },
    ];
  }
}

function checkStartOptions({ manifests, nodeOptions, callsInit }: StartOptions): Check {
  const places = [
    ...manifests.flatMap(({ scripts }) =>
      Object.entries(scripts)
        .filter(([, command]) => command.includes(preload))
        .map(([name]) => `npm run ${name}`),
    ),
    ...manifests.flatMap(({ folder }) =>
      startFiles.filter((file) => readStartFile(join(folder, file)).includes(preload)),
    ),
    ...(nodeOptions?.includes(preload) === true ? ['NODE_OPTIONS'] : []),
  ];
  if (places.length > 0)
    return { about: 'start', state: 'ok', says: `the SDK is loaded first (${places.join(', ')})` };
  const [file] = callsInit;
  if (file !== undefined) {
    return {
      about: 'start',
      state: 'ok',
      says: `${file} calls init: it must be the first file that runs; its own functions, and ES modules that it imports statically, are not traced`,
    };
  }
  return {
    about: 'start',
    state: 'warning',
    says: 'nothing starts the SDK: no script in package.json, no Dockerfile or similar file, not NODE_OPTIONS, and no call of init',
    remedy: `start the service with: node --import ${preload} app.js`,
  };
}

function readStartFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** True if the source code seems to call the SDK's `init`. */
export function callsInit(text: string): boolean {
  return /['"]@throughline\/node['"]/.test(text) && /\binit\s*\(/.test(text);
}

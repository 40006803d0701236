import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Check } from './findings.ts';
import type { Manifest } from './packages.ts';

const preload = '@throughline/node/auto';
/** Where a service's command line is written down, beside package.json. */
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
  /** Files of the project's own that call `init`. */
  readonly callsInit: readonly string[];
}

/** Whether anything starts the SDK with the service, and whether it is there to be started. */
export function checkStart({ manifests, nodeOptions, callsInit }: StartOptions): Check[] {
  return [...installed(manifests), started({ manifests, nodeOptions, callsInit })];
}

function installed(manifests: readonly Manifest[]): Check[] {
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

function started({ manifests, nodeOptions, callsInit }: StartOptions): Check {
  const places = [
    ...manifests.flatMap(({ scripts }) =>
      Object.entries(scripts)
        .filter(([, command]) => command.includes(preload))
        .map(([name]) => `npm run ${name}`),
    ),
    ...manifests.flatMap(({ folder }) => startFiles.filter((file) => mentionsPreload(join(folder, file)))),
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
    says: 'nothing here starts the SDK: no script in package.json, no Dockerfile and the like, not NODE_OPTIONS, no call of init',
    remedy: `start the service with: node --import ${preload} app.js`,
  };
}

function mentionsPreload(file: string): boolean {
  try {
    return readFileSync(file, 'utf8').includes(preload);
  } catch {
    return false;
  }
}

/** Whether a source seems to call the SDK's `init`. */
export function callsInit(text: string): boolean {
  return /['"]@throughline\/node['"]/.test(text) && /\binit\s*\(/.test(text);
}

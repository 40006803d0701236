import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readSettings, type Settings } from '../config/options.ts';
import { sdkVersion } from '../config/version.ts';
import { hasNativeParser, NO_NATIVE_PARSER } from '../instrument/parsers/load-parser.ts';
import { findProject } from '../project/root.ts';
import { examineFiles } from './files.ts';
import { type Check, type FileFindings, type Findings, formatCount } from './findings.ts';
import { findKnownPackages, readManifests } from './packages.ts';
import { checkServer, maskKey } from './server.ts';
import { callsInit, checkStart } from './start.ts';

export interface ExaminedProgram {
  /** The service's main script. If undefined, the project of the working directory is examined. */
  readonly script: string | undefined;
  readonly workingDirectory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Examines the server, and a project as the SDK would see it. Runs none of the host's code, changes nothing, and sends one test trace. */
export async function examine({ script, workingDirectory, env }: ExaminedProgram): Promise<Findings> {
  const checks: Check[] = [];
  const settings = readSettings(undefined, env, (line) =>
    checks.push({ about: 'settings', state: 'failed', says: line }),
  );
  const main = script === undefined ? undefined : resolve(workingDirectory, script);
  if (main !== undefined && !existsSync(main)) {
    checks.push({
      about: 'files',
      state: 'failed',
      says: `there is no file ${main}`,
      remedy: "give the path of the service's main script",
    });
  }
  const project = findProject(main, workingDirectory);
  const start = main === undefined ? workingDirectory : dirname(main);
  const manifests = readManifests(start, project.root);
  const initIn: string[] = [];
  checks.push(...checkNode());
  const files = examineFiles(
    {
      root: project.root,
      include: settings.include,
      exclude: settings.exclude,
      accessors: settings.accessors,
    },
    ({ path, text }) => {
      if (callsInit(text)) initIn.push(path);
    },
  );
  checks.push(...checkFiles(files));
  checks.push(...checkStart({ manifests, nodeOptions: env.NODE_OPTIONS, callsInit: initIn }));
  if (settings.capture === 'off') {
    checks.push({
      about: 'settings',
      state: 'warning',
      says: 'THROUGHLINE_CAPTURE is off: nothing is traced',
    });
  }
  const service = {
    name: (settings.service ?? project.name).slice(0, 255),
    version: project.version?.slice(0, 255),
    environment: settings.environment,
  };
  checks.push(...(await checkServer(settings, service)));
  return {
    sdk: sdkVersion,
    node: process.versions.node,
    project: { root: project.root, name: project.name, version: project.version },
    settings: describeSettings(settings, service.name),
    files,
    packages: findKnownPackages(manifests),
    checks,
    ok: checks.every(({ state }) => state !== 'failed'),
  };
}

function checkNode(): Check[] {
  if (hasNativeParser())
    return [
      { about: 'node', state: 'ok', says: `Node.js ${process.versions.node}: the native parser works` },
    ];
  return [{ about: 'node', state: 'warning', says: NO_NATIVE_PARSER }];
}

function checkFiles({ traced, skipped, cut }: FileFindings): Check[] {
  const count = traced.reduce((sum, { functions }) => sum + functions, 0);
  const checks: Check[] =
    count === 0
      ? [
          {
            about: 'files',
            state: 'warning',
            says: 'no function of this project would be traced',
            remedy:
              'run this in the folder of the service, or name its main script: throughline-node doctor app.js',
          },
        ]
      : [
          {
            about: 'files',
            state: 'ok',
            says: `${formatCount(count, 'function')} in ${formatCount(traced.length, 'file')}: traced when loaded`,
          },
        ];
  if (skipped.length > 0)
    checks.push({
      about: 'files',
      state: 'warning',
      says: `not traced: ${formatCount(skipped.length, 'file')}`,
    });
  if (cut)
    checks.push({
      about: 'files',
      state: 'warning',
      says: 'the project has too many files: only some of them were checked',
      remedy: 'choose the files to check with THROUGHLINE_INCLUDE',
    });
  return checks;
}

function describeSettings(settings: Settings, service: string): Findings['settings'] {
  const { apiKey, url, environment, release, capture, sampleRate, include, exclude } = settings;
  return {
    apiKey: apiKey === undefined ? undefined : maskKey(apiKey),
    url,
    service,
    environment,
    release,
    capture,
    sampleRate,
    include,
    exclude,
  };
}

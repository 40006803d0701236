import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import vm from 'node:vm';
import { type InstrumentOptions, instrument } from '../../src/instrument/instrument.ts';
import type { FrameRuntime } from '../../src/record/frame.ts';
import type { Test262Case } from './test262-case.ts';
import { makeWorld, type World } from './world.ts';

/** Maximum time that a test can wait, in turns of the event loop. */
const MAX_TURNS = 300;
const MAX_SYNC_MS = 20_000;

/** Returns the source to run in place of a file's source. */
export type Rewrite = (source: string, path: string, kind: InstrumentOptions['moduleKind']) => string;

export class Test262Runner {
  readonly #harness: string;
  readonly #included = new Map<string, vm.Script>();

  constructor(checkout: string) {
    this.#harness = join(checkout, 'harness');
  }

  /** Runs a test once. Returns `passed`, or the text that was thrown or printed. */
  async run(test: Test262Case, strictness: 'sloppy' | 'strict', rewrite: Rewrite): Promise<string> {
    const world = makeWorld();
    try {
      for (const name of test.includes) this.#include(name).runInContext(world.context);
      await start(world, test, strictness, rewrite);
      if (!test.isAsync) return 'passed';
      for (let turn = 0; turn < MAX_TURNS && world.printed.length === 0; turn++)
        await new Promise(setImmediate);
      const [line = 'never done'] = world.printed;
      return line === 'Test262:AsyncTestComplete' ? 'passed' : line;
    } catch (error) {
      return describeThrown(error);
    }
  }

  #include(name: string): vm.Script {
    let script = this.#included.get(name);
    if (script === undefined) {
      const filename = join(this.#harness, name);
      script = new vm.Script(readFileSync(filename, 'utf8'), { filename });
      this.#included.set(name, script);
    }
    return script;
  }
}

async function start(
  world: World,
  { source, path, isModule }: Test262Case,
  strictness: 'sloppy' | 'strict',
  rewrite: Rewrite,
): Promise<void> {
  const modules = new Modules(world, rewrite);
  if (isModule) {
    const module = modules.load(path, source);
    await module.link((specifier, referrer) => modules.find(specifier, referrer.identifier));
    await module.evaluate({ timeout: MAX_SYNC_MS });
    return;
  }
  const code = rewrite(strictness === 'strict' ? `"use strict";\n${source}` : source, path, 'commonjs');
  const script = new vm.Script(code, {
    filename: path,
    importModuleDynamically: (specifier) => modules.import(specifier, path),
  });
  script.runInContext(world.context, { timeout: MAX_SYNC_MS });
}

/** The modules that one run of a test loads in its global environment. */
class Modules {
  readonly #world: World;
  readonly #rewrite: Rewrite;
  readonly #loaded = new Map<string, vm.SourceTextModule>();

  constructor(world: World, rewrite: Rewrite) {
    this.#world = world;
    this.#rewrite = rewrite;
  }

  load(path: string, source: string): vm.SourceTextModule {
    const known = this.#loaded.get(path);
    if (known !== undefined) return known;
    const module = new vm.SourceTextModule(this.#rewrite(source, path, 'module'), {
      context: this.#world.context,
      identifier: path,
      importModuleDynamically: (specifier: string) => this.import(specifier, path),
    });
    this.#loaded.set(path, module);
    return module;
  }

  find(specifier: string, from: string): vm.SourceTextModule {
    const path = resolve(dirname(from), specifier);
    return this.#loaded.get(path) ?? this.load(path, readFileSync(path, 'utf8'));
  }

  async import(specifier: string, from: string): Promise<vm.SourceTextModule> {
    const module = this.find(specifier, from);
    if (module.status === 'unlinked')
      await module.link((inner, referrer) => this.find(inner, referrer.identifier));
    if (module.status === 'linked') await module.evaluate();
    return module;
  }
}

function describeThrown(error: unknown): string {
  if (typeof error !== 'object' || error === null) return `threw ${String(error)}`;
  const { name, message } = error as { name?: unknown; message?: unknown };
  return `${String(name)}: ${String(message)}`;
}

/** Instruments the code to run and registers its sites, as the loaders do. */
export function instrumenting(runtime: FrameRuntime): Rewrite {
  return (source, path, moduleKind) => {
    const result = instrument(source, {
      file: path,
      root: dirname(path),
      moduleKind,
      language: 'js',
      reserveSites: (count) => runtime.reserveSites(count),
      withMap: false,
      withAccessors: true,
    });
    if ('skipped' in result) return source;
    runtime.addSites(result.firstSite, result.sites, path, result.insertions);
    return result.code;
  };
}

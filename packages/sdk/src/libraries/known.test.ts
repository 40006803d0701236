import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { isMethod, readProperty } from '../internal/foreign.ts';
import { findInstrumentation, instrumented, libraryFiles, mainFiles } from './known.ts';

const load = createRequire(import.meta.url);
const names = Object.keys(instrumented);

interface Definition {
  readonly name: string;
  readonly files?: readonly { readonly name: string }[];
}

function listDefinitions(name: string): Definition[] {
  const exported: unknown = load(`@opentelemetry/instrumentation-${name}`);
  for (const made of Object.values(Object(exported))) {
    if (!isInstrumentation(made)) continue;
    return new made({ enabled: false }).getModuleDefinitions();
  }
  throw new Error(`${name} has no instrumentation`);
}

function isInstrumentation(
  value: unknown,
): value is new (
  config: object,
) => { getModuleDefinitions(): Definition[] } {
  return isMethod(readProperty(readProperty(value, 'prototype'), 'getModuleDefinitions'));
}

test.each(names)(
  'every library file that the instrumentation of %s patches is in the list of watched files',
  (name) => {
    const definitions = listDefinitions(name);
    expect(definitions.length).toBeGreaterThan(0);
    for (const { name: library, files = [] } of definitions) {
      expect(findInstrumentation(library)).toBe(name);
      const watched = libraryFiles.get(library);
      for (const file of files) expect([...(watched ?? [])]).toContain(file.name.slice(library.length + 1));
      if (files.length === 0) expect([...(watched ?? [])]).toContain(mainFiles[library]);
    }
  },
);

import { type LazyExoticComponent, lazy } from 'react';

/** A script that has not loaded after this time counts as failed. Milliseconds. */
const LOAD_TIMEOUT_MS = 120_000;

type LoadFailure = 'missing' | 'error' | 'timeout';

/**
 * URLs of style sheets that failed to load. Vite requests a style sheet only once. On the next visit, it would show the page without this
 * style sheet, so `loadPage` loads the style sheet itself.
 */
const missingStyles = new Set<string>();

/** A page's script or style sheet could not be loaded: the reason and the URL. */
export class ScriptLoadError extends Error {
  override readonly name = 'ScriptLoadError';
  readonly failure: LoadFailure;
  readonly address: string;

  constructor(failure: LoadFailure, address: string, cause?: unknown) {
    super(`A part of the page could not be loaded (${failure}: ${address})`, { cause });
    this.failure = failure;
    this.address = address;
  }
}

/**
 * Loads the module of a page, or of a part of a page, on first use; for `lazyRouteComponent` and {@link lazyPart}. Rejects with {@link
 * ScriptLoadError} if the script or style sheet is missing, broken, or does not arrive in time. If the script loads but throws, rejects
 * with the error that it threw.
 */
export async function loadPage<Module extends object>(
  load: () => Promise<Module>,
  timeoutMs = LOAD_TIMEOUT_MS,
): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ScriptLoadError('timeout', findAddress(load))), timeoutMs);
  });
  try {
    return await Promise.race([loadMissingStyles().then(load), timeout]);
  } catch (error) {
    if (error instanceof ScriptLoadError || !isLoading(error)) throw error;
    const address = findImportAddress(error) ?? findAddress(load);
    if (isStyleError(error)) missingStyles.add(address);
    throw new ScriptLoadError((await isMissing(address)) ? 'missing' : 'error', address, error);
  } finally {
    clearTimeout(timer);
  }
}

type AnyComponent = Awaited<ReturnType<Parameters<typeof lazy>[0]>>['default'];

/** Like {@link loadPage}, for a part of a page that is loaded when it is first rendered. */
export function lazyPart<Name extends string, Module extends Record<Name, AnyComponent>>(
  load: () => Promise<Module>,
  name: Name,
): LazyExoticComponent<Module[Name]> {
  return lazy<Module[Name]>(async () => ({ default: (await loadPage(load))[name] }));
}

/** Loads the style sheets that failed to load for earlier pages. */
async function loadMissingStyles(): Promise<void> {
  await Promise.all([...missingStyles].map(loadStyles));
}

async function loadStyles(address: string): Promise<void> {
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address });
  const loaded = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => reject(new ScriptLoadError('error', address)));
  });
  document.head.append(link);
  await loaded;
  missingStyles.delete(address);
}

/**
 * True if a script or style sheet failed to load, false for an error that the script threw. Browsers report a failed script as
 * TypeError or SyntaxError; Vite uses its own error for style sheets.
 */
function isLoading(error: unknown): boolean {
  return error instanceof TypeError || error instanceof SyntaxError || isStyleError(error);
}

function isStyleError(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unable to preload CSS for ');
}

/** Returns the URL, which most browsers include in the message of a failed import. */
function findImportAddress(error: unknown): string | undefined {
  return error instanceof Error ? /https?:\/\/\S+/.exec(error.message)?.[0] : undefined;
}

/**
 * Finds the URL of the script that `load` imports, in the source code of `load`. The source code contains a URL relative to the folder of
 * all built scripts, so the URL is resolved against the URL of this script.
 */
function findAddress(load: () => unknown): string {
  const named = /\bimport\(\s*(["'`])([^"'`]+)\1\s*\)/.exec(load.toString())?.[2];
  return named === undefined ? 'an unnamed script' : new URL(named, import.meta.url).href;
}

async function isMissing(address: string): Promise<boolean> {
  if (!address.startsWith('http')) return false;
  try {
    return (await fetch(address, { method: 'HEAD' })).status === 404;
  } catch {
    return false;
  }
}

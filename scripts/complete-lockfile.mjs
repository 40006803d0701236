/**
 * `npm run lockfile`: adds optional packages for other platforms to package-lock.json if the configured registry lacks them.
 * npm omits such packages when it writes the lockfile, and then `npm ci` rejects the lockfile as incomplete. Each package gets the exact
 * version that its parent requires and the platform in its name, so that npm skips it here and can install it on that platform.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

const file = join(root, 'package-lock.json');
const lock = JSON.parse(readFileSync(file, 'utf8'));
/** @type {Record<string, { version?: string, dev?: boolean, integrity?: string, libc?: string[], optionalDependencies?: Record<string, string> }>} */
const packages = lock.packages;

const OS = /(?:^|[-/])(android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|aix|win32)(?=-|$)/;
const CPU = /(?:^|[-/])(x64|arm64|arm|ia32|ppc64|s390x|riscv64|loong64|mips64el|wasm32)(?=-|$)/;

const LIBC = /-linux-.*(gnu|musl)(?:eabihf)?$/;

let added = 0;
for (const [path, entry] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (!/^\d/.test(version) || isThere(path, name, version)) continue;
    const os = OS.exec(name)?.[1];
    const cpu = CPU.exec(name.replace('arm-eabi', 'arm').replace('armv7', 'arm'))?.[1];
    if (os === undefined && cpu === undefined) {
      console.warn(`${name}: its platform is not in its name; left out`);
      continue;
    }
    packages[placeFor(path, name)] = /** @type {never} */ ({
      version,
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
    });
    added++;
  }
}

/**
 * True if npm resolves the package to this version from the given path.
 *
 * @param {string} path
 * @param {string} name
 * @param {string} version
 */
function isThere(path, name, version) {
  let place = path;
  for (;;) {
    const found = packages[`${place === '' ? '' : `${place}/`}node_modules/${name}`];
    if (found !== undefined) return found.version === version;
    if (place === '') return false;
    const outer = place.lastIndexOf('/node_modules/');
    place = outer === -1 ? '' : place.slice(0, outer);
  }
}

/**
 * Returns the path at which to add the package: the top level, or beside its parent if the top level has another version.
 *
 * @param {string} path
 * @param {string} name
 */
function placeFor(path, name) {
  const top = `node_modules/${name}`;
  return packages[top] === undefined ? top : `${path.slice(0, path.lastIndexOf('node_modules/'))}${top}`;
}

// The registry's metadata names the C library that a package is for. Without `libc`, npm would install packages for musl in addition to
// packages for glibc.
for (const [path, entry] of Object.entries(packages)) {
  const libc = entry.integrity === undefined ? LIBC.exec(path)?.[1] : undefined;
  if (libc !== undefined) entry.libc ??= [libc === 'musl' ? 'musl' : 'glibc'];
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${added} added`);

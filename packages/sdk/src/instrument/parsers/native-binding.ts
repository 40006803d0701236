import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

/**
 * Loads the native package for this machine, such as `@rollup/rollup-linux-x64-gnu` for the prefix `@rollup/rollup-`. Returns undefined if
 * no such package is installed.
 */
export function loadBinding(prefix: string): unknown {
  for (const target of listNativeTargets()) {
    try {
      return load(prefix + target);
    } catch {
      // The package is not installed, or does not work on this machine. The next package in the list may fit the machine's C library.
    }
  }
  return undefined;
}

/** Lists the possible name endings of a native package for this machine. Only the package that fits the C library is installed. */
function listNativeTargets(): string[] {
  const { platform, arch } = process;
  switch (platform) {
    case 'linux':
      return arch === 'arm'
        ? ['linux-arm-gnueabihf', 'linux-arm-musleabihf']
        : [`linux-${arch}-gnu`, `linux-${arch}-musl`];
    case 'win32':
      return [`win32-${arch}-msvc`, `win32-${arch}-gnu`];
    default:
      return [`${platform}-${arch}`];
  }
}

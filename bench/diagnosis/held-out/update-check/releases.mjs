import { loadManifest } from './manifest.mjs';

function isOlder(version, than) {
  return version < than;
}

function assertSupported(version, { oldest }) {
  if (isOlder(version, oldest)) {
    const error = new Error(`version ${version} is older than ${oldest}, please update`);
    error.code = 'TOO_OLD';
    throw error;
  }
}

export async function checkClient(platform, version) {
  const manifest = await loadManifest();
  const release = manifest[platform];
  assertSupported(version, release);
  return { current: release.current, update: isOlder(version, release.current) };
}

export async function releaseNotes(platform) {
  const { [platform]: release } = await loadManifest();
  return { version: release.current, notes: release.notes };
}

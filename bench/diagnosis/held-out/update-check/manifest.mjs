import fs from 'node:fs/promises';

let manifest;

export async function loadManifest() {
  manifest ??= JSON.parse(await fs.readFile(new URL('manifest.json', import.meta.url), 'utf8'));
  return manifest;
}

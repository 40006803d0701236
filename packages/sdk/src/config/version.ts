import manifest from '../../package.json' with { type: 'json' };

export const sdkVersion = manifest.version;

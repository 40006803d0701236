/**
 * Preloaded before the SDK. Replaces a text in one of the SDK's sources, in order to make the SDK fail. The environment variable `PLANTED`
 * contains the end of the file's path, the text, and its replacement.
 */
import { registerHooks } from 'node:module';

const [path = '', text = '', fault = ''] = JSON.parse(process.env.PLANTED ?? '[]');

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith(path)) return loaded;
    const source = String(loaded.source instanceof Uint8Array ? Buffer.from(loaded.source) : loaded.source);
    if (!source.includes(text)) throw new Error(`${path} has no ${text}`);
    return { ...loaded, source: source.replace(text, () => fault) };
  },
});

/** Preloaded before the SDK: one place of its sources fails, as `PLANTED` says: the end of a file's path, a text in it, and what takes that text's place. */
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

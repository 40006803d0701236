import type { CSSOptions } from 'vite';

type PostcssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

/**
 * Vite's CSS modules set no source file for the CSS rules that `composes … from` inserts, and Vite then warns in each build. This plugin
 * sets the file that contains `composes` as the source file of the inserted rules. Vite needs the source file only to resolve `url()`, so
 * the plugin rejects `url()` in the inserted rules.
 */
export function nameComposedSource(): PostcssPlugin {
  return {
    postcssPlugin: 'name-composed-source',
    OnceExit(root) {
      root.walkDecls((declaration) => {
        if (declaration.source?.input.file !== undefined || root.source === undefined) return;
        if (/url\(/.test(declaration.value)) throw declaration.error('A composed rule may not name a file.');
        declaration.source = root.source;
      });
    },
  };
}

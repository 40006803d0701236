import type { CSSOptions } from 'vite';

type PostcssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

/**
 * Sets the missing source file of rules that `composes … from` inserts: the file with the `composes`. Vite's CSS modules leave it empty,
 * and Vite then warns in each build. Vite needs the file only to resolve `url()`, so this plugin rejects `url()` in these rules.
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

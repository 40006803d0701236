import type { CSSOptions } from 'vite';

type PostcssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

/**
 * Sets the source file of CSS rules that `composes … from` inserts to the file that contains the `composes`. Vite's CSS modules set no
 * source file for these rules, and Vite then warns in each build. Vite needs a rule's source file only to resolve `url()`, so this plugin
 * rejects `url()` in these rules.
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

import type { CSSOptions } from 'vite';

type PostcssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

/**
 * Sets the source of the rules that `composes … from` inserts: the file that contains the `composes`. Vite's CSS modules parse these rules
 * without a source, and Vite warns about that in each build. Vite uses the source only to resolve `url()`, which composed files must not
 * contain.
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

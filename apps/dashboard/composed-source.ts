import type { CSSOptions } from 'vite';

type PostcssPlugin = NonNullable<Exclude<CSSOptions['postcss'], string | undefined>['plugins']>[number];

/**
 * Gives rules that `composes … from` brings in the source of the file that names them. Vite's CSS modules parse them without one, and Vite
 * then warns of it at each build. Composed files have no `url()`, which is what a source is asked for.
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

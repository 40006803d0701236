import type { HtmlTagDescriptor, Plugin } from 'vite';

/**
 * Matches the font file with the Latin letters, which every screen needs. The browser loads the files with other letters only if a text
 * needs them.
 */
const FIRST_FONT = /inter-latin-wght-normal-[^/]+\.woff2$/;

/**
 * Adds a link to the HTML page that makes the browser load the font together with the style sheet. Otherwise, text would first be rendered
 * in another font.
 */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }): HtmlTagDescriptor[] {
        return Object.keys(bundle ?? {})
          .filter((file) => FIRST_FONT.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
}

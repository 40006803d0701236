import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The Latin letters of the interface's font, which every screen needs. Other letters load on demand. */
const FIRST_FONT = /inter-latin-wght-normal-[^/]+\.woff2$/;

/** Fetches the font in parallel with the style sheet, so that text is not rendered in another font first. */
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

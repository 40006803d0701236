import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { nameComposedSource } from './composed-source.ts';
import { precompress } from './precompress.ts';
import { preloadFont } from './preload-font.ts';

/** Where `npm run dev` finds the product's server. */
const server = process.env.THROUGHLINE_SERVER ?? 'http://127.0.0.1:3001';

export default defineConfig({
  plugins: [react(), preloadFont(), precompress()],
  css: { postcss: { plugins: [nameComposedSource()] } },
  // Workspace packages come as TypeScript source, so that a change in the contract shows at once.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sdk': server, '/docs': server },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The content-security policy allows the page's own files alone, no data: fonts or scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Packages that change only with a dependency, so that a new release leaves them in the browser's cache.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            {
              name: 'contract',
              test: /node_modules[\\/]zod[\\/]|packages[\\/]contract[\\/]|src[\\/]shell[\\/]no-eval\.ts/,
            },
            { name: 'routing', test: /node_modules[\\/]@tanstack[\\/](?!react-virtual|virtual-core)/ },
          ],
        },
      },
    },
  },
});

import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { nameComposedSource } from './composed-source.ts';
import { precompress } from './precompress.ts';
import { preloadFont } from './preload-font.ts';

/** URL of the server to which `npm run dev` forwards requests below `/api`, `/sdk` and `/docs`. */
const server = process.env.THROUGHLINE_SERVER ?? 'http://127.0.0.1:3001';

export default defineConfig({
  plugins: [react(), preloadFont(), precompress()],
  css: { postcss: { plugins: [nameComposedSource()] } },
  // Resolves workspace packages to their TypeScript source, so that a change of the contract takes effect immediately.
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sdk': server, '/docs': server },
  },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // The content security policy allows no scripts from data: URLs, so no file is inlined as a data: URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Packages that change only when a dependency is updated, so that they stay in the browser's cache after a release.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
            // Contains only the code that the first screen needs: the code for redaction and for reading captured values is loaded with the
            // pages that show values.
            {
              name: 'contract',
              test: /node_modules[\\/]zod[\\/]|packages[\\/]contract[\\/]src[\\/](?!redaction|captured)|src[\\/]shell[\\/]no-eval\.ts/,
            },
            { name: 'routing', test: /node_modules[\\/]@tanstack[\\/](?!react-virtual|virtual-core)/ },
          ],
        },
      },
    },
  },
});

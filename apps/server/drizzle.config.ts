import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/platform/control-store/schema.ts',
    './src/platform/control-store/usage-tables.ts',
    './src/platform/control-store/billing-tables.ts',
    './src/platform/control-store/analytics-tables.ts',
    './src/platform/control-store/deletion-tables.ts',
    './src/platform/control-store/installation-store.ts',
  ],
  out: './src/platform/control-store/migrations',
});

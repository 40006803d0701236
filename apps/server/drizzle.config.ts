import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/platform/control-store/tables/schema.ts',
    './src/platform/control-store/tables/usage-tables.ts',
    './src/platform/control-store/tables/billing-tables.ts',
    './src/platform/control-store/tables/analytics-tables.ts',
    './src/platform/control-store/tables/deletion-tables.ts',
    './src/platform/control-store/tables/error-tables.ts',
    './src/platform/control-store/tables/share-tables.ts',
    './src/platform/control-store/tables/alert-tables.ts',
    './src/platform/control-store/tables/view-tables.ts',
    './src/platform/control-store/tables/digest-tables.ts',
    './src/platform/control-store/installation-store.ts',
  ],
  out: './src/platform/control-store/migrations',
});

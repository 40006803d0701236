import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/platform/control-store/schema.ts',
  out: './src/platform/control-store/migrations',
});

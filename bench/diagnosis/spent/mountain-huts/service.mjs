import { serve } from './src/server.ts';

serve(Number(process.env.PORT));

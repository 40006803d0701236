import { serve } from './src/server.mjs';

serve(Number(process.env.PORT));

import express from 'express';
import { openDatabase } from './src/db.mjs';
import { LicenseRepository } from './src/license-repository.mjs';
import { LicenseService } from './src/license-service.mjs';
import { requestContext } from './src/request-context.mjs';
import { licenseRoutes } from './src/routes.mjs';

const db = openDatabase();
const licenses = new LicenseService(new LicenseRepository(db), { clock: () => Date.now() });

const app = express();
app.use(express.json());
app.use(requestContext);
app.use('/v1/licenses', licenseRoutes(licenses));
app.use((err, req, res, _next) => {
  res.status(err.status ?? 500).json({ error: err.message, requestId: req.context.requestId });
});

app.listen(process.env.PORT, '127.0.0.1');

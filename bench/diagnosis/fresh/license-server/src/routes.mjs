import { Router } from 'express';

export function licenseRoutes(licenses) {
  const router = Router();
  router.post('/:key/check', (req, res) => {
    const client = readClient(req.body);
    const result = licenses.check(req.params.key.toUpperCase(), client);
    res.json({ ...result, checkedAt: req.context.receivedAt });
  });
  return router;
}

function readClient({ machine, hostname, app, os }) {
  if (!machine || !app) throw Object.assign(new Error('machine and app are required'), { status: 422 });
  return { machine, hostname: hostname ?? 'unknown', app, os };
}

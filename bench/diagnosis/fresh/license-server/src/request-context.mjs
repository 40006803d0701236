import { randomUUID } from 'node:crypto';

export function requestContext(req, res, next) {
  req.context = { requestId: randomUUID(), receivedAt: new Date().toISOString(), agent: req.get('user-agent') };
  res.set('x-request-id', req.context.requestId);
  next();
}

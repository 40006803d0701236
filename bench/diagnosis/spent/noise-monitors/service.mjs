import Fastify from 'fastify';
import { ReportService } from './reports/report-service.mjs';
import { SiteRepository } from './sites/site-repository.mjs';

const app = Fastify();
const reports = new ReportService(new SiteRepository());

app.get('/sites/:code/reports/:day', {
  schema: {
    params: { type: 'object', properties: { day: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } } },
  },
  handler: (request) => reports.daily(request.params.code, request.params.day),
});
app.setErrorHandler((error, _request, reply) => {
  reply.code(error.statusCode ?? 500).send({ error: error.message });
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });

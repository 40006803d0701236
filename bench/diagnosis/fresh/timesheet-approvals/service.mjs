import Fastify from 'fastify';
import { ApprovalDesk } from './desk/approval-desk.mjs';
import { AuditTrail } from './desk/audit-trail.mjs';
import { timesheetRoutes } from './routes/timesheets.mjs';
import { SheetStore } from './store/sheets.mjs';

const store = new SheetStore();
const desk = new ApprovalDesk(store, new AuditTrail());

const app = Fastify();
app.register(timesheetRoutes, { desk, store, prefix: '/timesheets' });
app.setErrorHandler((error, _request, reply) => reply.code(error.statusCode ?? 500).send({ error: error.message }));
app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });

import { personFor } from '../desk/people.mjs';
import { isOpen } from '../desk/payroll-calendar.mjs';

export async function timesheetRoutes(app, { desk, store }) {
  app.decorateRequest('person', null);
  app.addHook('preHandler', async (request) => {
    request.person = await personFor(request.headers['x-login']);
  });

  app.get('/:id', async (request) => desk.summary(await store.load(request.params.id)));

  app.post('/:id/approve', async (request) => desk.actFor(request.person).approve(request.params.id));

  app.post('/:id/submit', async (request, reply) => {
    const { week } = request.body;
    if (!(await isOpen(week))) return reply.code(409).send({ error: `${week} is closed` });
    return desk.actFor(request.person).submit(request.params.id);
  });
}

import { randomBytes } from 'node:crypto';
import { clinicBySlug } from '../lib/clinics.mjs';
import { book, plan } from '../lib/schedule.mjs';

const body = {
  type: 'object',
  required: ['pet', 'species', 'owner', 'start', 'reason'],
  properties: { pet: { type: 'string' }, species: { type: 'string' }, owner: { type: 'object' }, start: { type: 'string' }, reason: { type: 'string' } },
};

function confirmationText({ pet, owner }, clinic, planned) {
  return `Dear ${owner.name}, ${pet} is expected at ${clinic.name} on ${planned.day} at ${planned.clock} (${planned.vet}).`;
}

export async function appointments(app) {
  app.post('/', { schema: { body } }, async (request, reply) => {
    const visit = request.body;
    const clinic = await clinicBySlug(request.params.clinic);
    const planned = plan(clinic, new Date(visit.start), visit);
    const position = book(clinic, planned);
    reply.code(201);
    return {
      id: randomBytes(6).toString('hex'),
      clinic: clinic.name,
      ...planned,
      position,
      text: confirmationText(visit, clinic, planned),
      createdAt: new Date().toISOString(),
    };
  });
}

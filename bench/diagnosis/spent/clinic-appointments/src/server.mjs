import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { findDoctor } from './doctors.mjs';
import { bookSlot, openSlots } from './slots.mjs';

async function respond(request) {
  const { pathname, searchParams } = new URL(request.url, 'http://clinic');
  const [, collection, id, action] = pathname.split('/');
  if (collection !== 'doctors' || !id) return [404, { error: 'not found' }];
  const doctor = await findDoctor(id);
  if (!doctor) return [404, { error: `no doctor ${id}` }];
  if (request.method === 'POST' && action === 'appointments') {
    const { patient, start } = await json(request);
    return bookSlot(doctor, patient, start);
  }
  if (action === 'slots') return [200, await openSlots(doctor, searchParams.get('asked'))];
  return [200, { name: doctor.name, speciality: doctor.speciality }];
}

export function createClinicServer() {
  return createServer(async (request, response) => {
    let answer;
    try {
      answer = await respond(request);
    } catch (error) {
      answer = [500, { error: error.message }];
    }
    response.writeHead(answer[0], { 'content-type': 'application/json' }).end(JSON.stringify(answer[1]));
  });
}

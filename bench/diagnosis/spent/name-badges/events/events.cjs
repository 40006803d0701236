'use strict';

const { setTimeout: wait } = require('node:timers/promises');

const events = [
  { id: 'gala', title: 'Charity Gala', colours: { guest: 'white', staff: 'grey', speaker: 'gold' } },
  { id: 'expo', title: 'Rail Expo', colours: { guest: 'blue', staff: 'grey', exhibitor: 'green' } },
];

exports.findEvent = async function findEvent(id) {
  await wait(4);
  const event = events.find((other) => other.id === id);
  if (!event) throw Object.assign(new Error(`no event ${id}`), { status: 404 });
  return event;
};

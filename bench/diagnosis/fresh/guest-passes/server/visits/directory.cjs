const { setTimeout: sleep } = require('node:timers/promises');

const visits = new Map();
const add = (host, guest, badge, floors) => visits.set(`${host}|${guest}`, { host, guest, badge, floors, arrivals: 0 });

add('emp-118', 'Marta Kowal', 'B-0417', [2, 3]);
add('emp-118', 'Glen Oduya', 'B-0418', [3]);
add('emp-240', 'Sofie Bruun', 'B-0502', [7]);
add('emp-240', 'Zoë Lindqvist', 'B-0503', [7, 8]);
add('emp-305', 'Ravi Menon', 'B-0611', [1]);
add('emp-305', 'Tess Aldous', 'B-0612', [1, 2]);

const buildKey = ({ host, guest }) => `${host}|${guest}`;

async function expectedVisit(pass) {
  await sleep(2);
  return visits.get(buildKey(pass));
}

module.exports = { expectedVisit, buildKey };

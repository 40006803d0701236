const { setTimeout: wait } = require('node:timers/promises');

const volumes = {
  'zell/mueller': [
    ['baptism', 1841, 'Anna Katharina', 'f. 12r'],
    ['marriage', 1866, 'Johann Peter', 'f. 88v'],
    ['burial', 1902, 'Anna Katharina', 'f. 140r'],
  ],
  'zell/goetz': [
    ['baptism', 1838, 'Matthias', 'f. 7v'],
    ['marriage', 1861, 'Matthias', 'f. 80r'],
  ],
  'zell/brand': [['baptism', 1850, 'Elisabeth', 'f. 31r']],
  'kirchau/strauss': [
    ['burial', 1877, 'Georg', 'f. 60r'],
    ['baptism', 1822, 'Georg', 'f. 3r'],
  ],
  'kirchau/weber': [
    ['marriage', 1845, 'Ursula', 'f. 19v'],
    ['burial', 1891, 'Ursula', 'f. 77r'],
  ],
};

function notFound(message) {
  return Object.assign(new Error(message), { status: 404, expose: true });
}

async function openVolume(parish, family) {
  await wait(5);
  const records = volumes[`${parish}/${family}`];
  if (!records) throw notFound(`the registers of ${parish} have no family ${family}`);
  return records;
}

module.exports = { openVolume, notFound };

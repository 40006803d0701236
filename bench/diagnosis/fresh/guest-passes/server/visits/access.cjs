const LIFTS = { A: [1, 2, 3, 4], B: [5, 6, 7, 8, 9] };

function liftFor(floors, preferred) {
  if (preferred && LIFTS[preferred].some((floor) => floors.includes(floor))) return preferred;
  return Object.keys(LIFTS).find((lift) => LIFTS[lift].some((floor) => floors.includes(floor)));
}

function grantFor(visit, pass, gate) {
  const lift = liftFor(visit.floors, pass.lift);
  visit.arrivals += 1;
  return { badge: visit.badge, lift, floors: visit.floors, gate, reentry: visit.arrivals > 1 };
}

module.exports = { grantFor, liftFor };

'use strict';

const { fontSize, shortCompany } = require('./layout.cjs');
const { printedName } = require('./names.cjs');

function colourFor(event, role) {
  const colour = event.colours[role];
  if (!colour) throw Object.assign(new Error(`${event.title} has no ${role} badges`), { status: 422 });
  return colour;
}

function makeBadge(event, { name, company = '', role = 'guest' }) {
  const printed = printedName(name);
  return {
    name: printed,
    size: fontSize(printed),
    company: shortCompany(company),
    colour: colourFor(event, role),
  };
}

module.exports = { makeBadge };

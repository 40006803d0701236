import { loadGrades, findClass } from './roster.mjs';

function average(marks) {
  const sum = marks.reduce((total, mark) => total + mark, 0);
  return Math.round((sum / marks.length) * 100) / 100;
}

export function tidyName(name) {
  return name.trim().replace(/\s+/g, ' ');
}

export async function buildReport(input) {
  const pupil = tidyName(input.pupil);
  const label = findClass(pupil);
  const marks = await loadGrades(pupil);
  const subjects = Object.entries(marks).map(([subject, list]) => ({ subject, average: average(list) }));
  const overall = average(subjects.map((entry) => entry.average));
  return { pupil, term: input.term, class: label, subjects, overall };
}

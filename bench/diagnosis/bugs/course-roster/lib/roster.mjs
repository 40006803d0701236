import { findStudent } from './students.mjs';

function toRow(student) {
  return { id: student.id, name: `${student.last}, ${student.first}`, semester: student.semester };
}

function byName(a, b) {
  return a.name.localeCompare(b.name);
}

export async function buildRoster(course) {
  const rows = [];
  for (const id of course.enrolled) {
    const student = await findStudent(id);
    if (student) rows.push(toRow(student));
  }
  return rows.sort(byName);
}

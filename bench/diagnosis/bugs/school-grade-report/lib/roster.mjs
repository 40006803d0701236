const classes = new Map([
  ['7a', ['Zoë Martens', 'José Álvarez', 'Emil Brandt', 'Chloé Dubois']],
  ['7b', ['Ada Novak', 'Björn Holm', 'Mia Schmidt']],
]);

const grades = new Map();

function enter(name, subject, ...marks) {
  if (!grades.has(name)) grades.set(name, {});
  grades.get(name)[subject] = marks;
}

enter('Zoë Martens', 'maths', 1, 2, 2);
enter('Zoë Martens', 'biology', 3, 2);
enter('José Álvarez', 'maths', 2, 4, 3);
enter('José Álvarez', 'biology', 1, 1);
enter('Emil Brandt', 'maths', 3, 3, 5);
enter('Chloé Dubois', 'biology', 2, 2, 1);
enter('Ada Novak', 'maths', 1, 1, 1);
enter('Björn Holm', 'biology', 4, 3);
enter('Mia Schmidt', 'maths', 2, 3, 2);

export async function loadGrades(name) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return grades.get(name);
}

export function findClass(name) {
  for (const [label, pupils] of classes) {
    if (pupils.includes(name)) return label;
  }
  return undefined;
}

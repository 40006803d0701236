const triggers = new Map([
  ['dairy', ['milk', 'parmesan', 'butter']],
  ['gluten', ['wheat', 'barley', 'rye']],
  ['egg', ['egg']],
  ['nuts', ['hazelnut', 'pine nut', 'almond']],
  ['fish', ['cod', 'salmon']],
]);

export function findConflicts(child, dish) {
  const conflicts = [];
  for (const allergy of child.allergies) {
    const harmful = triggers.get(allergy);
    if (!harmful) return conflicts;
    const hits = dish.ingredients.filter((ingredient) => harmful.includes(ingredient));
    for (const ingredient of hits) conflicts.push({ allergy, ingredient });
  }
  return conflicts;
}

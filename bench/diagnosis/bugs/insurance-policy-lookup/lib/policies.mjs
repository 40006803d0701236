const policies = new Map();

function addPolicy(email, number, kind, premium, paidUntil) {
  policies.set(email, { number, kind, premium, paidUntil, holder: email });
}

addPolicy('anna.berg@example.com', 'H-20931', 'household', 14.9, '2026-01-31');
addPolicy('carlos@example.org', 'L-11872', 'liability', 6.5, '2025-12-31');
addPolicy('d.okafor@example.net', 'T-40110', 'travel', 9.9, '2025-10-31');
addPolicy('eva.klein@example.com', 'H-20977', 'household', 17.2, '2026-03-31');
addPolicy('li.wei@example.com', 'L-12004', 'liability', 7.1, '2026-02-28');

export async function findPolicy(email) {
  await new Promise((resolve) => setTimeout(resolve, 2));
  const policy = policies.get(email);
  return policy;
}

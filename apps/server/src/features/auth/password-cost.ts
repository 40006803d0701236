/** OWASP's first recommendation for argon2id: 19 MiB, 2 passes, 1 lane. */
export const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const encodeBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** A hash that no known password matches. A comparison with this hash takes as long as a comparison with a real hash. */
export const DECOY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${encodeBase64(Buffer.alloc(16, 1))}$${encodeBase64(Buffer.alloc(32, 2))}`;

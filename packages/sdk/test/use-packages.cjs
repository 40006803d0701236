/**
 * Prints the result of each use of a package, one line of JSON per package. The results should be the same whether the
 * package's own sources are instrumented or not. If `record` exists (traced-process.ts), each use runs in a recording.
 */
function useAll(exercises) {
  useEach(exercises).catch((error) => {
    console.error(error);
    process.exitCode = 1;
  });
}

async function useEach(exercises) {
  const recorded = typeof record === 'function' && process.env.RECORDED === '1';
  for (const [name, exercise] of Object.entries(exercises)) {
    const print = async () => console.log(`${name}: ${JSON.stringify(await exercise(), shown)}`);
    await (recorded ? record(print) : print());
  }
}

function shown(_, value) {
  return typeof value === 'bigint' ? `${value}n` : value;
}

/** Returns a description of the error that `fn` throws, or the result of `fn` if there is no error. */
function failure(fn) {
  try {
    return fn();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

module.exports = { failure, useAll };

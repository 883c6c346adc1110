// @ts-check
// A checker that looked at nothing finds nothing wrong. So each must show that it looked at what
// there is: the files are counted here too, by a walk of our own, and fewer is a failure.

/**
 * @typedef {object} Verdict
 * @property {boolean} ok
 * @property {string} [reason] why not, when it is the floor
 */

/** Fewer code files than this and it is our own walk that is broken. */
export const LEAST_CODE_FILES = 40

/**
 * @param {number} count what the checker looked at
 * @param {number} floor what it should have
 * @param {boolean} passed what the checker itself said
 * @returns {Verdict}
 */
export function judge(count, floor, passed) {
  if (count >= floor) return { ok: passed }
  return { ok: false, reason: `looked at ${count} files; there are ${floor}` }
}

/** @param {string} output what biome wrote */
export function countOfBiome(output) {
  return numberIn(output, /^Checked (\d+) files? in /m)
}

/** @param {string} output what oxlint wrote */
export function countOfOxlint(output) {
  return numberIn(output, /^Finished in .* on (\d+) files? with /m)
}

/** @param {string} output what knip wrote, with our reporter beside its own */
export function countOfKnip(output) {
  return numberIn(output, /^Looked at (\d+) files\.$/m)
}

/**
 * The files among `expected` that a `tsc --listFiles` does not name.
 * @param {string} output
 * @param {string[]} expected paths from the root
 * @param {string} root ends with a slash
 */
export function missedByTsc(output, expected, root) {
  const base = root.replaceAll('\\', '/')
  const listed = new Set(output.split(/\r?\n/))
  return expected.filter((file) => !listed.has(`${base}${file}`))
}

/**
 * What `tsc --listFiles` wrote beside the list.
 * @param {string} output
 */
export function withoutFileList(output) {
  return output
    .split(/\r?\n/)
    .filter((line) => !/^(?:\/|[A-Z]:\/).*\.(?:[cm]?[jt]sx?|json)$/i.test(line))
    .join('\n')
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function numberIn(text, pattern) {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

// @ts-check
/**
 * A reporter for knip that says how many files it looked at; its own reporters keep that to
 * themselves.
 * @public
 * @type {import('knip').Reporter}
 */
export default function reportCount({ counters }) {
  process.stdout.write(`Looked at ${counters.processed} files.\n`)
}

import { chaos } from '../server/test/chaos/chaos.ts'

/** Seconds, and the seed of all chances: the same seed does the same things, if not at the same moments. */
const seconds = Number(process.argv[2] ?? 600)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)

const { tally, wrong } = await chaos(seconds, seed)
process.stdout.write(`${[...tally, ...wrong].join('\n')}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

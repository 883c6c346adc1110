import { chaos } from '../server/test/chaos/chaos.ts'

/** The seed of all chances: the same seed does the same things, if not at the same moments. */
const [seconds = 600, seed = Date.now() % 1_000_000, servers = 2] = process.argv
  .slice(2)
  .map(Number)

const { tally, wrong } = await chaos(seconds, seed, servers)
process.stdout.write(`${[...tally, ...wrong].join('\n')}\n`)
process.exitCode = wrong.length === 0 ? 0 : 1

import { compare } from './drill/comparison.ts'
import { install } from './drill/installation.ts'
import { addPeople } from './drill/people.ts'
import { findPrograms } from './drill/programs.ts'
import { restoreToMoment } from './drill/restoration.ts'
import { type Outcome, play, scenarios } from './drill/scenarios.ts'
import { openScreens, type Screens } from './drill/screens.ts'
import { createSite, type Site } from './drill/site.ts'
import { startWriters } from './drill/writers.ts'

/** Seconds within which jobs work and screens are fresh, after the first acknowledged change. */
const JOBS_WITHIN = 15
const SCREENS_WITHIN = 10

/** Minutes of the whole. */
const AT_MOST = 10

const begun = Date.now()
const say = (text: string) => {
  const seconds = ((Date.now() - begun) / 1_000).toFixed(0)
  process.stdout.write(`${seconds.padStart(4)} s  ${text}\n`)
}

const columns = ['', 'without a change', 'jobs', 'screens', 'failed', 'acknowledged']

function table(outcomes: Outcome[]): string {
  const seconds = (value: number | undefined) =>
    value === undefined ? 'never' : `${value.toFixed(1)} s`
  const rows = [
    columns,
    ...outcomes.map(({ name, gap, jobs, screens, failed, acknowledged }) => [
      name,
      seconds(gap),
      seconds(jobs),
      seconds(screens),
      String([...failed.values()].reduce((sum, count) => sum + count, 0)),
      String(acknowledged),
    ]),
  ]
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** @returns what is wrong */
async function drill(site: Site, opened: Screens[]): Promise<string[]> {
  const cluster = await install(site, say)
  const people = await addPeople(cluster)
  const screens = await openScreens(cluster.fronts, people.quiet)
  opened.push(screens)
  const writers = startWriters(cluster.fronts, people.writing)
  const stage = { cluster, people, writers, screens }
  const outcomes: Outcome[] = []
  const wrong: string[] = []
  for (const scenario of scenarios) {
    say(scenario.name)
    let outcome: Outcome
    try {
      outcome = await play(stage, scenario)
    } catch (error) {
      // What is lost is the more important to know.
      wrong.push(`${scenario.name}: ${reasonOf(error)}`, await site.lastLines())
      for (const machine of [...site.databases, ...site.servers]) await machine.thaw()
      break
    }
    outcomes.push(outcome)
    const failures = [...outcome.failed].map(([why, count]) => `${count} times ${why}`)
    if (failures.length > 0) say(`  failed requests: ${failures.join(', ')}`)
    const { jobs = Infinity, screens: fresh = Infinity } = outcome
    if (jobs > JOBS_WITHIN)
      wrong.push(`${scenario.name}: jobs did not work within ${JOBS_WITHIN} s`)
    if (fresh > SCREENS_WITHIN) {
      wrong.push(`${scenario.name}: screens were not fresh within ${SCREENS_WITHIN} s`)
    }
  }
  let copy = 'no copy was restored'
  if (outcomes.length === scenarios.length) {
    say('a copy is restored to a moment')
    const restored = await restoreToMoment(cluster, writers)
    wrong.push(...restored.wrong.map((what) => `in the restored copy: ${what}`))
    copy =
      `restored to a moment in ${restored.seconds.toFixed(1)} s: ` +
      `${restored.compared - restored.wrong.length} of ${restored.compared} changes right`
  }
  await writers.stop()
  await cluster.healthy()
  const { ledger } = writers
  const { compared, wrong: lost } = await compare(cluster.query, ledger.orders)
  if (compared !== ledger.acknowledged.length) {
    wrong.push(`compared ${compared} of ${ledger.acknowledged.length} changes`)
  }
  for (const machine of [...cluster.databases, ...cluster.servers]) {
    for (const what of machine.ended()) say(`ended by itself and was started again: ${what}`)
  }
  process.stdout.write(
    `\n${table(outcomes)}\n\n` +
      `${copy}\n${ledger.acknowledged.length} changes acknowledged\n` +
      `lost: ${lost.length}\n`,
  )
  return [...lost, ...wrong]
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

async function main(): Promise<number> {
  const found = findPrograms()
  if ('missing' in found) {
    process.stderr.write(`${found.missing}\n`)
    return 1
  }
  const opened: Screens[] = []
  const site = await createSite(found.programs)
  const give = async () => {
    for (const screens of opened) screens.close()
    await site.dispose()
  }
  let isStopping = false
  const stop = (why: string) => {
    // Ctrl-C comes twice: from the terminal, and from the command that runs this one.
    if (isStopping) return
    isStopping = true
    process.stderr.write(`${why}\n`)
    void give().finally(() => process.exit(1))
  }
  process.on('SIGINT', () => stop('interrupted'))
  process.on('SIGTERM', () => stop('interrupted'))
  setTimeout(
    stop,
    AT_MOST * 60_000 - (Date.now() - begun),
    `not done in ${AT_MOST} minutes`,
  ).unref()
  try {
    const wrong = await drill(site, opened)
    if (wrong.length > 0) process.stderr.write(`${wrong.join('\n')}\n`)
    return wrong.length > 0 ? 1 : 0
  } catch (error) {
    process.stderr.write(`${await site.lastLines()}\n${reasonOf(error)}\n`)
    return 1
  } finally {
    await give()
  }
}

// Not by itself: after a failure writers would go on trying.
process.exit(await main())

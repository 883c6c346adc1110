import { beforeAll, describe, expect, it } from 'vitest'
import { ensureBuilt } from '../../scripts/build.mjs'
import { possibleEnds } from './chaos/action-log.ts'
import { chaos } from './chaos/chaos.ts'

const SECONDS = 3

/** What must have happened before the end; otherwise the test proves nothing. */
const DEEDS = {
  'changes answered with 200': 20,
  'changes in Airtable': 4,
  'orders removed in Airtable': 1,
  'servers killed': 2,
  'PostgreSQL restarted': 1,
  'messages that Meta took': 8,
}

beforeAll(ensureBuilt, 120_000)

describe('while everything fails', () => {
  it('no acknowledged change is lost, no message sent twice, and the copy agrees with the base', async () => {
    const { tally, wrong } = await chaos(SECONDS, 20_261_121, 2, DEEDS)
    process.stdout.write(`${tally.map((line) => `    ${line}`).join('\n')}\n`)
    expect(wrong).toEqual([])
  }, 360_000)
})

describe('the judge of its end', () => {
  const taken = (status: string) => ({ by: 'pharmacist', status, answer: 'taken' }) as const
  const unknown = (status: string) => ({ by: 'pharmacist', status, answer: 'unknown' }) as const
  const refused = (status: string) => ({ by: 'pharmacist', status, answer: 'refused' }) as const
  const store = (status: string) => ({ by: 'store', status }) as const

  it.each([
    { history: [taken('A')], ends: ['A'] },
    { history: [taken('A'), taken('B')], ends: ['B'] },
    { history: [taken('A'), unknown('B')], ends: ['A', 'B'] },
    { history: [taken('A'), refused('B')], ends: ['A'] },
    { history: [unknown('A')], ends: ['A', 'In attesa'] },
    { history: [refused('A')], ends: ['In attesa'] },
    { history: [store('A'), taken('B')], ends: ['B'] },
    { history: [taken('A'), store('B'), unknown('C')], ends: ['B', 'C'] },
    { history: [taken('A'), store('B')], ends: ['B'] },
    { history: [taken('A'), taken('C'), store('B')], ends: ['B'] },
    { history: [store('B'), taken('A'), store('C')], ends: ['C'] },
  ])('accepts $ends after %#', ({ history, ends }) => {
    expect([...possibleEnds(history, 'In attesa')].toSorted()).toEqual(ends)
  })
})

import { describe, expect, test } from 'vitest'
import { findInPasswd } from './account.ts'
import { type Decision, decide, type Facts } from './decide.ts'
import { parseLockFile } from './lock-file.ts'
import { lastMeaningfulLine } from './postgres-log.ts'
import { parseStat } from './processes.ts'

type Read = Extract<Facts, { file: 'read' }>

const read: Read = {
  file: 'read',
  pid: 41,
  port: 20_000,
  process: 'alive',
  recorded: 'unknown',
  answer: 'nobody',
  program: 'postgres',
}

describe('what to do about a database that may be in use', () => {
  const table: [string, Facts, Decision['kind']][] = [
    ['no lock file', { file: 'absent' }, 'absent'],
    ['a lock file that cannot be read yet', { file: 'unreadable' }, 'wait'],
    ['its process is gone', { ...read, process: 'none' }, 'stale'],
    ['its process has ended and is not reaped', { ...read, process: 'defunct' }, 'stale'],
    ['our database answers', { ...read, answer: 'ours' }, 'running'],
    [
      'our database answers where processes tell nothing',
      { ...read, answer: 'ours', program: undefined },
      'running',
    ],
    ['it is starting or stopping', { ...read, answer: 'busy' }, 'wait'],
    ['a postgres that does not answer', read, 'wait'],
    ['a postgres that has no port yet', { ...read, port: undefined }, 'wait'],
    ['a program unknown that does not answer', { ...read, program: undefined }, 'wait'],
    ['postgres on Windows', { ...read, program: 'postgres.exe' }, 'wait'],
    ['another program', { ...read, program: 'node' }, 'unsure'],
    [
      'another program, and something answers',
      { ...read, program: 'node', answer: 'other' },
      'unsure',
    ],
    ['a postgres that does not know our password', { ...read, answer: 'other' }, 'unsure'],
    ['another process that has its number now', { ...read, recorded: 'ended' }, 'stale'],
    ['the process that was recorded', { ...read, recorded: 'same', program: 'node' }, 'unsure'],
    ['a process of another boot or container', { ...read, recorded: 'elsewhere' }, 'stale'],
    [
      'a process of another container, whose server was alive a moment ago',
      { ...read, process: 'none', recorded: 'elsewhere, beating' },
      'wait',
    ],
    [
      'a process of another container on the same network, where our database answers',
      { ...read, recorded: 'elsewhere', answer: 'ours' },
      'wait',
    ],
  ]
  test.each(table)('%s', (_, facts, kind) => {
    expect(decide(facts).kind).toBe(kind)
  })

  test('names the program that has the number now', () => {
    expect(decide({ ...read, program: 'node' })).toEqual({
      kind: 'unsure',
      why: "names process 41, but that process is 'node'",
    })
  })

  test('tells a process that ended from one that is gone, for PostgreSQL must be told', () => {
    expect(decide({ ...read, process: 'defunct' })).toEqual({
      kind: 'stale',
      pid: 41,
      taken: true,
    })
    expect(decide({ ...read, process: 'none' })).toEqual({ kind: 'stale', pid: 41, taken: false })
  })
})

describe('the lock file', () => {
  test('is read line by line', () => {
    const text = '77\n/data\n1795246111\n21194\n\n127.0.0.1\n  5432 7\nready   \n'
    expect(parseLockFile(text)).toEqual({
      pid: 77,
      port: 21_194,
      ready: true,
    })
  })

  test('may have only its first lines yet', () => {
    expect(parseLockFile('77\n/data\n')).toEqual({
      pid: 77,
      port: undefined,
      ready: false,
    })
  })

  test('of a server without postmaster has the number negated', () => {
    expect(parseLockFile('-77\n')?.pid).toBe(77)
  })

  test.each(['', '\n', 'abc\n', '0\n'])('%j is not one', (text) => {
    expect(parseLockFile(text)).toBeUndefined()
  })
})

test('a process may have any name', () => {
  const numbers = Array.from({ length: 30 }, (_, at) => String(at + 4)).join(' ')
  expect(parseStat(`12 (a) b (c) Z ${numbers}\n`)).toEqual({
    name: 'a) b (c',
    state: 'Z',
    startTicks: 22,
  })
  expect(parseStat('')).toBeUndefined()
})

test('an account is found by its whole name, and root is none', () => {
  const passwd =
    'root:x:0:0::/root:/bin/sh\npostgres2:x:5:6::/:\npostgres:x:101:104:P:/:\ntoor:x:0:0::/:\n'
  expect(findInPasswd(passwd, 'postgres')).toEqual({ uid: 101, gid: 104 })
  expect(findInPasswd(passwd, 'toor')).toBeUndefined()
  expect(findInPasswd(passwd, 'nobody')).toBeUndefined()
})

test('the reason is the last grave line of that process', () => {
  const log = [
    '2026-01-01 00:00:00.000 UTC [7] FATAL:  lock file "postmaster.pid" already exists',
    '2026-01-01 00:00:00.000 UTC [7] LOG:  database system is shut down',
    '2026-01-01 00:00:00.000 UTC [8] FATAL:  something else',
  ].join('\n')
  expect(lastMeaningfulLine(log, 7)).toBe('lock file "postmaster.pid" already exists')
  expect(lastMeaningfulLine('initdb: error: no room\n')).toBe('no room')
})

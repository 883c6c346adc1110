import type { BackupRun } from '@bancone/contract/backups'
import { describe, expect, it } from 'vitest'
import { type BackupFacts, backupProblems, isBackupDue, isTestDue } from './backups.rules.ts'

const NOW = Date.parse('2026-11-22T10:00:00Z')
const HOUR = 60 * 60_000

const ago = (ms: number) => new Date(NOW - ms).toISOString()

function run(kind: BackupRun['kind'], hours: number, more: Partial<BackupRun> = {}): BackupRun {
  const at = ago(hours * HOUR)
  const id = `${kind}-${hours}`
  return {
    id,
    kind,
    state: 'done',
    startedAt: at,
    finishedAt: at,
    bytes: 1,
    problem: null,
    ...more,
  }
}

const good: BackupFacts = {
  now: NOW,
  since: NOW - 100 * HOUR,
  isConfigured: true,
  isKeyUsable: true,
  isSheetConfirmed: true,
  runs: [run('backup', 8), run('test', 30)],
  lastBackup: run('backup', 8),
  lastTest: run('test', 30),
  archive: { until: ago(60_000), problem: null },
}

const failed = { state: 'failed', problem: 'target' } as const

describe('the problems of back-ups', () => {
  it.each<[string, Partial<BackupFacts>, string[]]>([
    ['all is well', {}, []],
    ['there is no place', { isConfigured: false, isKeyUsable: false }, ['not_configured']],
    ['the key is gone', { isKeyUsable: false, isSheetConfirmed: false }, ['key_unusable']],
    ['the sheet was not confirmed', { isSheetConfirmed: false }, ['sheet_unconfirmed']],
    ['the last back-up failed', { runs: [run('backup', 1, failed), run('backup', 8)] }, ['target']],
    ['a failure is over', { runs: [run('backup', 1), run('backup', 8, failed)] }, []],
    [
      'one is going on after a failure',
      { runs: [run('backup', 0, { state: 'running' }), run('backup', 8, failed)] },
      ['target'],
    ],
    ['there was none at night', { lastBackup: run('backup', 27) }, ['backup_old']],
    ['there never was one', { runs: [], lastBackup: null, lastTest: null }, ['no_backup']],
    [
      'the last test failed',
      { runs: [run('test', 1, { state: 'failed', problem: 'test_failed' })] },
      ['test_failed'],
    ],
    ['none was tested for long', { lastTest: run('test', 9 * 24) }, ['test_old']],
    ['none was tested in the first week', { lastTest: null }, []],
    ['none was ever tested', { lastTest: null, runs: [run('backup', 9 * 24)] }, ['test_old']],
    ['the log is late', { archive: { until: ago(5 * 60_000), problem: null } }, ['archive']],
    [
      'the server has just started',
      { since: NOW - 1_000, archive: { until: ago(HOUR), problem: null } },
      [],
    ],
    ['the bucket refuses the log', { archive: { until: ago(0), problem: 'target' } }, ['target']],
    ['another program archives the log', { archive: null }, []],
  ])('are told when %s', (_when, facts, problems) => {
    expect(backupProblems({ ...good, ...facts })).toEqual(problems)
  })

  it('are not waited for: a back-up after a day, a test after six', () => {
    expect(
      [null, run('backup', 23), run('backup', 25)].map((last) => isBackupDue(NOW, last)),
    ).toEqual([true, false, true])
    const tests = [null, run('test', 5 * 24), run('test', 7 * 24)]
    expect(tests.map((last) => isTestDue(NOW, last))).toEqual([true, false, true])
  })
})

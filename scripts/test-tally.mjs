// @ts-check

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */
/** @typedef {{ status: string, fullName?: string, failureMessages?: string[] }} VitestTest */
/**
 * The part of Vitest's JSON report that is used here; times are milliseconds since 1970.
 * @typedef {{ name: string, status: string, startTime?: number, endTime?: number, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: VitestFile[] }} VitestReport
 */
/** @typedef {{ file: string, seconds: number }} TimedFile */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0 }

/**
 * @param {Tally} a
 * @param {Tally} b
 * @returns {Tally}
 */
export function add(a, b) {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
  }
}

/**
 * The last lines of a run. The very last one always has this form, for programs that run the tests.
 * @param {Tally} tally
 */
export function lastLines({ passed, failed, skipped }) {
  const line = `${passed} passed, ${failed} failed`
  return skipped > 0 ? `${skipped} skipped: they need another account, or PgBouncer\n${line}` : line
}

/**
 * What a run of Vitest comes to. No report, or a bad end without a failed test (an error outside
 * every test, say), is one failure: nothing that went wrong may count as none.
 * @param {VitestReport | undefined} report
 * @param {number} code
 * @returns {Tally}
 */
export function tallyOfVitest(report, code) {
  if (!report) return { ...NOTHING, failed: 1 }
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = report
  // A file that could not be loaded has no tests, one that could not be prepared has skipped ones.
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = numFailedTests + broken
  return {
    passed: numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: numPendingTests + numTodoTests,
  }
}

/**
 * What failed, a line each, to be said once more at the end: thousands of lines stand between a
 * failure and the tally, and who sees only the last of them must still learn which it was.
 * @param {VitestReport | undefined} report
 * @returns {string[]}
 */
export function failures(report) {
  return (report?.testResults ?? []).flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    if (failed.length === 0) return status === 'failed' ? [name] : []
    return failed.map(({ fullName = '', failureMessages = [] }) =>
      [name, fullName, (failureMessages[0] ?? '').split('\n')[0]].filter(Boolean).join(' > '),
    )
  })
}

/**
 * How long each of these files took.
 * @param {VitestReport | undefined} report
 * @param {string[]} files paths from the root
 * @returns {TimedFile[]}
 */
export function fileTimes(report, files) {
  return (report?.testResults ?? []).flatMap(({ name, startTime, endTime }) => {
    const file = files.find((each) => name.replaceAll('\\', '/').endsWith(`/${each}`))
    if (file === undefined || startTime === undefined || endTime === undefined) return []
    return [{ file, seconds: (endTime - startTime) / 1000 }]
  })
}

/**
 * The test files on disk that are not in the report: a project that was left out, or a pattern that
 * does not match, looks just like a run in which all is well.
 * @param {VitestReport | undefined} report
 * @param {string[]} expected paths from the root
 */
export function filesNotRun(report, expected) {
  const ran = report?.testResults.map(({ name }) => name.replaceAll('\\', '/')) ?? []
  return expected.filter((file) => !ran.some((name) => name.endsWith(`/${file}`)))
}

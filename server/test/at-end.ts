type Work = () => unknown

const works: Work[] = []

/**
 * Runs the work at the end of this test file, in reverse order of registration. Vitest ignores an `afterAll`
 * that is registered while hooks run, such as in a `beforeAll`.
 */
export function atEnd(work: Work): void {
  works.push(work)
}

/** Runs all of it, even when some fails. */
export async function endAll(): Promise<void> {
  const failures: unknown[] = []
  for (const work of works.splice(0).toReversed()) {
    try {
      await work()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a test file did not end well')
}

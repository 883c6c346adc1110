type Work = () => unknown

const works: Work[] = []

/**
 * Does it at the end of this test file, the last that was said first. Vitest's own `afterAll` is not heard
 * any more once its hooks have begun: not in a `beforeAll`, nor in what one calls.
 */
export function atEnd(work: Work): void {
  works.push(work)
}

/** Whatever fails, the others are done too. */
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
